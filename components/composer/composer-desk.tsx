"use client";

import { useQuery } from "@tanstack/react-query";
// The composer on a desk: the ground with its shelf in one column, the inspector in the other.
import { ReactFlowProvider } from "@xyflow/react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type MouseEvent, memo, useCallback, useEffect, useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { formatCount } from "@/components/ui/format";
import { useFetchAtRest } from "@/components/ui/lazy-part";
import { useIsPhone } from "@/components/ui/use-is-phone";
import { ridersOf } from "@/server/contract/plan/plan-words";
import { Bar, SavingWords, type View } from "./bar";
import { DragNote } from "./canvas/drag-note";
import { GroundMenu, useGroundMenu } from "./canvas/ground-menu";
import { MiniMap } from "./canvas/mini-map";
import { PlanCanvas } from "./canvas/plan-canvas";
import { useGestures } from "./canvas/use-gestures";
import { useView } from "./canvas/use-view";
import { WiresSwitch } from "./canvas/wires-switch";
import { ZoomBar } from "./canvas/zoom-bar";
import { useComposer, useDrawn } from "./composer-context";
import { arrowChange, ComposerKeys } from "./composer-keys";
import { Counts, Spoken } from "./counts";
import { tidying } from "./draft/tidying";
import type { Way } from "./drawing/nearest";
import { EmptyGround } from "./empty-ground";
import { Inspector } from "./inspector/inspector";
import { IntoNamed } from "./into-named";
import {
  DryRun,
  ListView,
  LivePanel,
  LiveTimeline,
  nearParts,
  OrderDesk,
  PhonePlan,
  PublishDialog,
  VersionPanel,
  YamlView,
} from "./late-parts";
import { LaunchFoot } from "./launch-foot";
import { AddedLayer } from "./live/added-layer";
import { LiveBar, LiveCounts } from "./live/live-bar";
import { LiveFoot } from "./live/live-foot";
import { LiveKeys } from "./live/live-keys";
import { kinOf, type Watch } from "./live/use-watch";
import type { PublishDialogProps } from "./publish-dialog";
import { QuickAdd } from "./quick-add/quick-add";
import { SelectionSpoken } from "./selection-spoken";
import { Shelf } from "./shelf/shelf";
import { useLaunch } from "./use-launch";
import { useProblemKeys } from "./use-problem-keys";
import type { Beside } from "./versions/use-version-diff";
import { VersionBar } from "./versions/version-bar";

export type ComposerDeskProps = {
  base: string;
  /** The run that is watched where it was drawn; null = the drawing itself. */
  watch: Watch | null;
  /** The version that is shown itself, which never changes; null = a draft. */
  version: number | null;
  isArchived: boolean;
  /** What it is compared with; null = nothing. */
  against: Beside | null;
  onAgainst: (version: number | null) => void;
  onDraw: () => void;
  onUnarchive: () => void;
  /** The wagon whose hand-over is open; null = none. */
  order: string | null;
  onCloseOrder: () => void;
  /** The root turn of the run that it is compared with. */
  beside: string | null;
  onBeside: (root: string | null) => void;
  isFork: boolean;
  onFork: (isOn: boolean) => void;
  /** The run that it is launched into, by its root turn; null = a run of its own. */
  into: string | null;
  onInto: (into: string | null) => void;
  onLaunched: (rootTurnId: string) => void;
  onBack: () => void;
  /** Of the published plan; null = it was never published. */
  planName: string | null;
  published: PublishDialogProps["base"];
  head: number | null;
  others: readonly string[];
  onEditHere: () => void;
  onPublished: PublishDialogProps["onPublished"];
  view: View;
  onView: (view: View) => void;
};

export function ComposerDesk(props: ComposerDeskProps) {
  return (
    <ReactFlowProvider>
      <Desk {...props} />
    </ReactFlowProvider>
  );
}

function Desk({
  base,
  watch,
  version,
  isArchived,
  against,
  onAgainst,
  onDraw,
  onUnarchive,
  order,
  onCloseOrder,
  beside,
  onBeside,
  isFork,
  onFork,
  into,
  onInto,
  onLaunched: onWatch,
  onBack,
  planName,
  published,
  head,
  others,
  onEditHere,
  onPublished,
  view: shown,
  onView,
}: ComposerDeskProps) {
  const composing = useComposer();
  const { store, projectId } = composing;
  const router = useRouter();
  const view = useView();
  const gestures = useGestures();
  const isPhone = useIsPhone();
  useFetchAtRest(nearParts);
  const [isDry, setIsDry] = useState(false);
  // Below 1200 pixels the inspector lies over the ground.
  const [isDrawerOpen, setIsDrawerOpen] = useState(opensInspector);
  const [isPublishing, setIsPublishing] = useState(false);
  const [text, setText] = useState<string | null>(null);
  const isEmpty = useDrawn(({ plan }) => plan.nodes.length === 0);
  const isNothing = useDrawn(({ selection }) => selection.length === 0);
  const trpc = useTRPC();
  const runs = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: "", kinds: ["run"], limit: 1 },
      { enabled: isEmpty },
    ),
  );
  const last = runs.data?.runs[0];
  // What was added, moved or brought back is seen. Nothing else moves the view.
  const ground = useDrawn((state) => state.ground);
  useEffect(() => {
    const at = ground === 0 ? undefined : store.get().selection.at(-1);
    if (at !== undefined) view.reveal(at.replace(/^gate:/, ""));
  }, [ground, store, view]);
  const onLaunched = useCallback(
    (root: string) => {
      announce({ title: "Launched", status: "success" });
      // A phone has no ground to watch it on, and a run that was there has more than this plan.
      if (isPhone || into !== null) router.push(`${base}?run=${root}`);
      else onWatch(root);
    },
    [router, base, isPhone, into, onWatch],
  );
  const onMissing = useCallback(
    (name: string) => {
      store.select([]);
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field="input ${name}"]`)?.focus());
    },
    [store],
  );
  const launching = useLaunch(
    composing,
    published,
    useMemo(() => ({ into, onLaunched, onMissing }), [into, onLaunched, onMissing]),
  );

  const { nextProblem, firstRemedy } = useProblemKeys(view, setIsDrawerOpen);
  const onOpenPlan = useCallback(() => router.push(`${base}/plans`), [router, base]);
  const onLikeLast = useMemo(
    () => (last ? () => router.push(`${base}/compose?like=${last.root_turn_id}`) : null),
    [last, router, base],
  );

  const kin = watch ? kinOf(watch.watched) : null;
  const onCompare =
    beside !== null || kin !== null
      ? () => {
          store.select([]);
          onBeside(beside === null ? kin : null);
        }
      : null;
  const toFork = () => {
    store.select([]);
    onFork(!isFork);
  };
  const foot = (
    <LaunchFoot
      launching={launching}
      into={into === null ? null : <IntoNamed projectId={projectId} into={into} onInto={onInto} />}
      onDryRun={() => setIsDry(true)}
      onNextProblem={() => nextProblem(1)}
    />
  );
  const publishing = isPublishing ? (
    <PublishDialog
      base={published}
      onClose={() => setIsPublishing(false)}
      onPublished={(plan, version) => {
        setIsPublishing(false);
        onPublished(plan, version);
      }}
    />
  ) : null;
  const runOnPhone = isPhone && watch ? watch.watched.run.root_turn_id : null;
  useEffect(() => {
    // A run is watched and decided in the yard there: the upright plan has no way to send a change to it.
    if (runOnPhone !== null) router.replace(`${base}?run=${runOnPhone}`);
  }, [runOnPhone, router, base]);
  if (isPhone)
    return (
      <>
        <PhonePlan
          state={<SavingWords onEditHere={onEditHere} />}
          foot={foot}
          isDry={isDry}
          onDryRun={() => setIsDry((isOpen) => !isOpen)}
          onPublish={() => setIsPublishing(true)}
          dryRun={<ListView />}
        />
        <QuickAdd />
        <Spoken />
        {publishing}
      </>
    );
  const keys = (
    <ComposerKeys
      view={view}
      onLaunch={(isStepped) => void launching.launch(isStepped)}
      onPublish={() => setIsPublishing(true)}
      onYaml={() => onView(shown === "yaml" ? "plan" : "yaml")}
      onDryRun={() => setIsDry((isOpen) => !isOpen)}
      onNextProblem={nextProblem}
      onFirstRemedy={firstRemedy}
      onOpenPlan={onOpenPlan}
      onLikeLast={onLikeLast}
    />
  );
  if (order !== null)
    return (
      <div className="composer-desk">
        {keys}
        <OrderDesk place={order} onClose={onCloseOrder} />
        <QuickAdd />
        <Spoken />
        {publishing}
      </div>
    );
  return (
    <div className="composer-desk">
      <div className="flex min-h-0 min-w-0 flex-col">
        {watch ? (
          <LiveBar base={base} watch={watch} isCompared={beside !== null} {...{ onBack, onCompare }} onFork={toFork} />
        ) : version !== null && head !== null ? (
          <VersionBar
            {...{ head, isArchived, onDraw, onUnarchive }}
            shown={version}
            value={against?.version ?? null}
            onChange={onAgainst}
          />
        ) : (
          <Bar
            against={against?.version ?? null}
            onAgainst={onAgainst}
            base={base}
            version={published?.version ?? null}
            head={head}
            others={others}
            view={shown}
            onView={onView}
            onPublish={() => setIsPublishing(true)}
            onEditHere={onEditHere}
            onProblems={() => setIsDry(true)}
          />
        )}
        {shown === "yaml" && !watch ? (
          <YamlView kept={text} onKept={setText} onClose={() => onView("plan")} />
        ) : shown === "list" && !watch ? (
          <ListView />
        ) : (
          <Canvas {...{ gestures, watch, isEmpty, onOpenPlan, onLikeLast }} />
        )}
        {watch ? (
          <LiveTimeline watched={watch.watched} />
        ) : shown === "yaml" ? null : isDry ? (
          <DryRun onClose={() => setIsDry(false)} planName={planName} />
        ) : (
          <Shelf gestures={gestures} />
        )}
      </div>
      <button
        type="button"
        className="inspector-toggle"
        aria-expanded={isDrawerOpen}
        onClick={() => setIsDrawerOpen((isOpen) => !isOpen)}
      >
        {isDrawerOpen ? "Hide the inspector" : "Inspector"}
      </button>
      <aside
        aria-label="Inspector"
        data-panel
        data-open={isDrawerOpen ? "" : undefined}
        className="composer-inspector"
        onKeyDown={keepArrows}
      >
        <div className="min-h-0 flex-1 overflow-y-auto">
          {watch ? (
            <LivePanel base={base} watch={watch} />
          ) : against && isNothing ? (
            <VersionPanel beside={against} />
          ) : (
            <Inspector />
          )}
        </div>
        {watch ? <LiveFoot watch={watch} /> : foot}
      </aside>
      {keys}
      {watch ? <LiveKeys watch={watch} {...{ onBack, onCompare }} onFork={toFork} /> : null}
      <QuickAdd />
      <Spoken />
      <SelectionSpoken />
      {publishing}
    </div>
  );
}

/** On a desk that is narrow or zoomed in it would lie over most of the plan: there it is opened by hand. */
const opensInspector = (): boolean => !window.matchMedia("(max-width: 1023px), (max-height: 560px)").matches;

/** In here the arrows scroll and move the caret; on the ground they walk. Escape leads back to it. */
function keepArrows(event: KeyboardEvent): void {
  if (event.key.startsWith("Arrow")) event.stopPropagation();
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const ground = document.querySelector<HTMLElement>(".composer-canvas");
  // Beside the text there is none: the key leads from the text to the plan.
  if (ground === null) return;
  event.preventDefault();
  ground.focus();
}

const arrows: Record<string, Way> = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" };

type CanvasProps = {
  gestures: ReturnType<typeof useGestures>;
  watch: Watch | null;
  isEmpty: boolean;
  onOpenPlan: () => void;
  onLikeLast: (() => void) | null;
};

/** The focus stays on this frame: the wagon under it may leave the document when the view moves. */
const Canvas = memo(function Canvas({ gestures, watch, isEmpty, onOpenPlan, onLikeLast }: CanvasProps) {
  const composing = useComposer();
  const view = useView();
  const wagons = useDrawn(({ plan }) => ridersOf(plan).length);
  const menu = useGroundMenu(gestures.toward);
  const onTidy = () => {
    const { plan, selection } = composing.store.get();
    composing.store.change(tidying(plan, selection));
  };
  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const isOnIt = event.target instanceof Element && event.target.closest("input, textarea, a") === null;
    if (!isOnIt) return;
    // By the menu key there is no pointer: then it opens on what is selected.
    const isPointer = event.clientX > 0 || event.clientY > 0;
    if (isPointer && event.target !== event.currentTarget) gestures.selectAt(event);
    const at = isPointer && event.target !== event.currentTarget ? event : selectedSpot(event);
    menu.open(at);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const way = arrows[event.key];
    if (way !== undefined && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      const next = arrowChange(composing, way, event);
      if (next !== null) view.reveal(next);
    } else if (event.key === "Enter" && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      composing.edit("instruction");
    } else if (event.key === "Escape") {
      const { selection } = composing.store.get();
      if (selection.length > 0) event.preventDefault();
      composing.store.select(selection.length > 1 ? selection.slice(-1) : []);
    }
  }
  return (
    <div
      role="application"
      data-panel
      aria-label={`Plan of ${formatCount(wagons, "wagon")}. Use the arrow keys to move, N to add and Enter to edit. The list view shows the same plan.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys itself
      tabIndex={0}
      className="yard-canvas composer-canvas"
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
    >
      <PlanCanvas gestures={gestures}>
        {watch ? <LiveCounts watch={watch} /> : <Counts />}
        {watch && !watch.isForking ? <AddedLayer watched={watch.watched} /> : null}
        <WiresSwitch />
        <DragNote />
        <MiniMap />
        <ZoomBar view={view} onTidy={watch ? null : onTidy} />
        {isEmpty ? <EmptyGround {...{ onOpenPlan, onLikeLast }} /> : null}
      </PlanCanvas>
      {menu.at ? <GroundMenu at={menu.at} view={view} /> : null}
    </div>
  );
});

/** Beside the wagon that is selected; without one in the middle of the ground. */
function selectedSpot(event: MouseEvent<HTMLElement>) {
  const box = (event.currentTarget.querySelector(".selected") ?? event.currentTarget).getBoundingClientRect();
  return {
    clientX: box.left + box.width / 2,
    clientY: box.top + box.height / 2,
    preventDefault: () => event.preventDefault(),
  };
}
