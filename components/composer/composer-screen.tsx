"use client";

// The composer of one plan, one draft, or a new plan: opens what is there, keeps what is drawn, and shares both with its parts.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { beginningOf, keptText } from "@/components/domain/kept-text";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { announce } from "@/components/ui/announcements";
import { Link } from "@/components/ui/link";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { type Checked, notChecked } from "./check/use-check";
import { ComposerProvider, type Composing, type EditField } from "./composer-context";
import { ComposerDesk } from "./composer-desk";
import { createDrawingStore, type DrawingStore } from "./draft/drawing-store";
import { addressOf, fresh, type Opened, openDrawing, openKept } from "./draft/open-drawing";
import { createDrawings } from "./drawing/drawing";
import { FollowDrawing } from "./follow-drawing";
import { Failure } from "./late-parts";
import { useWatch } from "./live/use-watch";
import { createSmallStore } from "./small-store";
import { Unreadable } from "./unreadable";
import { CHANGED_ELSEWHERE, useSaving } from "./use-saving";
import { useRestored } from "./versions/use-restored";
import { useVersionDiff } from "./versions/use-version-diff";
import "./composer.css";
import "./canvas/ground-words.css";
import "./canvas/wagon-block.css";
import "./live/live.css";
import "./shelf.css";
import "./phone/phone-plan.css";

const composerParams = {
  v: parseAsInteger,
  draft: parseAsString,
  /** The run that is watched where it was drawn. */
  run: parseAsString,
  /** The run that it is compared with. */
  beside: parseAsString,
  /** Its changes make another run of it. */
  as: parseAsStringLiteral(["fork"] as const),
  /** The version that the drawing is compared with. */
  with: parseAsInteger,
  /** The version that is to be the draft. */
  restore: parseAsInteger,
  /** The wagon whose hand-over is open. */
  order: parseAsString,
  view: parseAsStringLiteral(["plan", "list", "yaml"] as const).withDefault("plan"),
  /** A turn, a launch or a batch whose work the new plan is to repeat. */
  like: parseAsString,
  batch: parseAsString,
  /** What the launch dialog held. */
  from: parseAsString,
  /** The run that it is to be launched into, by its root turn. */
  into: parseAsString,
};

export type ComposerScreenProps = { projectId: string; person: string; plan: string | null };

export function ComposerScreen(props: ComposerScreenProps) {
  const [{ v, draft, like, batch, from }] = useQueryStates(composerParams);
  const address = [props.plan ?? draft ?? "new", v ?? "", like ?? batch ?? from ?? ""].join(" ").trim();
  // A new plan gets an address with its first operation, and goes on; any other address is another drawing.
  const [session, setSession] = useState({ key: address, own: address });
  if (address !== session.key && address !== session.own) setSession({ key: address, own: address });
  return (
    <Session
      key={session.key}
      {...props}
      keepKey={`${props.projectId} ${session.key}`}
      onAddress={(own) => setSession({ ...session, own })}
    />
  );
}

type SessionProps = ComposerScreenProps & { keepKey: string; onAddress: (own: string) => void };

function Session({ projectId, person, plan, keepKey, onAddress }: SessionProps) {
  const trpc = useTRPC();
  const [{ v, draft, like, batch, from }] = useQueryStates(composerParams);
  const isNew = plan === null && draft === null;
  // A version never changes: what was drawn on the plan is not looked for.
  const isKept = v === null;
  const isLifted = isNew && (like !== null || batch !== null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const asked = {
    project_id: projectId,
    ...(plan !== null && { plan }),
    ...(v !== null && v > 0 && v <= 1_000_000 && { version: v }),
    ...(draft !== null && plan === null && { draft_id: draft }),
  };
  const sheet = useQuery(
    trpc.plan.drawing.queryOptions(asked, { ...patient, enabled: !isNew && opened === null, gcTime: 0 }),
  );
  const lifted = useQuery(
    trpc.plan.lift.queryOptions(
      { project_id: projectId, ...(batch === null ? { agent_turn_id: like ?? "" } : { batch_id: batch }) },
      { enabled: isLifted && opened === null, retry: false },
    ),
  );
  const given = isLifted ? undefined : isNew ? fresh.sheet : sheet.data;
  useTabTitle(plan ?? "New plan", "Composer");
  useEffect(() => {
    if (opened !== null) return;
    const begun = isNew && from !== null ? begunPlan(projectId) : null;
    if (begun) setOpened({ ...fresh, plan: begun, isChanged: true });
    else if (given !== undefined)
      void openDrawing({
        key: keepKey,
        address: isKept ? addressOf(projectId, plan) : "",
        projectId,
        sheet: given,
      }).then((found) => (typeof found === "string" ? setUnreadable(found) : setOpened(found)));
    else if (lifted.data) {
      const { body, layout, notes } = lifted.data;
      setOpened({ ...fresh, plan: PlanShape.parse({ ...body, name: "", layout }), isChanged: true });
      for (const { text } of notes.slice(0, 3)) announce({ title: "Not told exactly", detail: text });
    } else if (sheet.error && !isNew) void openKept(keepKey).then((kept) => kept && setOpened(kept));
  }, [opened, given, projectId, keepKey, lifted.data, from, isNew, isKept, plan, sheet.error]);
  if (unreadable !== null && opened === null)
    return <Unreadable projectId={projectId} draft={given?.draft ?? null} cause={unreadable} />;
  const error = sheet.error ?? lifted.error;
  if (error && opened === null)
    return (
      <Failure
        error={error}
        what={lifted.error ? "work to repeat" : draft !== null && plan === null ? "draft" : "plan"}
        name={plan ?? draft ?? like ?? batch ?? ""}
        onRetry={() => (lifted.error ? lifted.refetch() : sheet.refetch())}
        way={
          <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/plans`}>
            All plans
          </Link>
        }
      />
    );
  if (opened === null)
    return (
      <div className="flex-1 pt-4">
        <SkeletonRows count={12} rowHeight={28} label="Opening the plan" />
      </div>
    );
  return <Open {...{ projectId, person, keepKey, onAddress, opened }} />;
}

/** What the launch dialog held, as a plan; null = nothing that is one. */
function begunPlan(projectId: string): Plan | null {
  const read = parsePlan(parsed(keptText(beginningOf(projectId)) ?? "null"));
  return "fault" in read ? null : read.plan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type OpenProps = Omit<SessionProps, "plan"> & { opened: Opened };

function Open({ projectId, person, keepKey, onAddress, opened }: OpenProps) {
  const { sheet } = opened;
  const client = useTRPCClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  const [{ v, view, run, beside, as, order, with: compared, restore, into }, setParams] =
    useQueryStates(composerParams);
  const isVersion = v !== null && v > 0 && sheet.plan !== null;
  useEffect(() => {
    if (isVersion && sheet.version && sheet.version.version !== v)
      announce({ title: `v${v} does not exist`, detail: `This is v${sheet.version.version}, the newest.` });
  }, [isVersion, sheet.version, v]);
  const [published, setPublished] = useState(sheet.version);
  const [head, setHead] = useState(sheet.plan?.head_version ?? null);
  const [planName, setPlanName] = useState(sheet.plan?.name);
  const isNamed = useRef(planName !== undefined);
  const addressed = useRef<Promise<unknown>>(Promise.resolve());
  const base = `/p/${encodeURIComponent(projectId)}`;
  // Read once: who watches the address is drawn again at each selection.
  const [first] = useState(() => new URLSearchParams(window.location.search).get("sel")?.split(",") ?? []);
  const [store] = useState<DrawingStore>(() => {
    const made = createDrawingStore(opened.plan, opened.history);
    made.select(first);
    if (opened.isChanged) made.touch();
    if (opened.newer) made.lock(CHANGED_ELSEWHERE);
    else if (sheet.plan?.archived_at !== undefined) made.lock("This plan is archived. Restore it to draw on.");
    else if (isVersion)
      made.lock(`This is version ${sheet.version?.version}, which never changes. Draw on it as your draft.`);
    return made;
  });
  const watching = useWatch({
    first,
    projectId,
    drawn: store,
    root: run,
    beside,
    isFork: as === "fork",
    onForked: (root) => void setParams({ run: root, as: null, beside: run }, { history: "push" }),
  });
  const { watch, error: notWatched } = watching;
  const liveStore = watch?.store ?? null;
  const { saving, goOnHere, forget } = useSaving({
    projectId,
    store,
    keepKey,
    address: addressOf(projectId, planName ?? null),
    draft: opened.draft,
    savedPlan: opened.saved,
    newer: opened.newer,
    plan: planName,
    base: published?.version,
    onCreated: (draft) => {
      // A new plan has an address from its first operation on, and one of its own once it is published.
      if (isNamed.current) return;
      onAddress(draft.draft_id);
      addressed.current = setParams(
        { draft: draft.draft_id, like: null, batch: null, from: null },
        { history: "replace" },
      );
    },
  });
  const [draw] = useState(createDrawings);
  const [composing] = useState<Composing>(() => ({
    projectId,
    person,
    store,
    checks: createSmallStore<Checked>(notChecked),
    ground: createSmallStore(draw(store.get().plan)),
    draw,
    saving,
    drag: createSmallStore<ReturnType<Composing["drag"]["get"]>>(null),
    wouldBe: createSmallStore<ReturnType<Composing["wouldBe"]["get"]>>(null),
    wires: createSmallStore<ReturnType<Composing["wires"]["get"]>>([]),
    lent: createSmallStore<string | null>(null),
    wiring: createSmallStore<ReturnType<Composing["wiring"]["get"]>>("auto"),
    live: createSmallStore<ReturnType<Composing["live"]["get"]>>(null),
    marks: createSmallStore<ReturnType<Composing["marks"]["get"]>>(null),
    adding: createSmallStore<ReturnType<Composing["adding"]["get"]>>(null),
    readPlan: async (name) => {
      const { version, plan } = await client.plan.drawing.query({ project_id: projectId, plan: name });
      if (!version) throw new Error(`plan ${plan?.name ?? name} has no version`);
      return version;
    },
    openOrder: (place) => void setParams({ order: place }, { history: "push" }),
    edit: (field) => focusField(store, field),
  }));
  useLayoutEffect(() => composing.live.set(watching.places), [composing, watching.places]);
  const against = useVersionDiff(projectId, planName, compared, store);
  useLayoutEffect(() => composing.marks.set(against?.diff?.marks ?? null), [composing, against?.diff]);
  useRestored(projectId, planName, restore, store, () => void setParams({ restore: null }));
  const shared = useMemo(() => (liveStore ? { ...composing, store: liveStore } : composing), [composing, liveStore]);
  useEffect(() => {
    if (notWatched !== null)
      announce({ title: "The run cannot be watched here", detail: notWatched, status: "failed" });
  }, [notWatched]);
  return (
    <ComposerProvider value={shared}>
      <FollowDrawing composing={composing} {...{ run, watch }} />
      <ComposerDesk
        base={base}
        watch={watch}
        version={!isVersion && sheet.plan?.archived_at === undefined ? null : (sheet.version?.version ?? null)}
        isArchived={sheet.plan?.archived_at !== undefined}
        against={against}
        onAgainst={(version) => void setParams({ with: version })}
        onDraw={() => {
          const at = sheet.version?.version;
          void setParams({ v: null, restore: at === undefined || at === head ? null : at }, { history: "push" });
        }}
        onUnarchive={() => {
          if (planName === undefined) return;
          void client.plan.archive.mutate({ project_id: projectId, name: planName, archived: false }).then(
            () => window.location.reload(),
            (error: unknown) =>
              announce({
                title: "Not restored",
                detail: error instanceof Error ? error.message : String(error),
                status: "failed",
              }),
          );
        }}
        order={order}
        onCloseOrder={() => void setParams({ order: null })}
        beside={beside}
        onBeside={(root) => void setParams({ beside: root })}
        isFork={as === "fork"}
        onFork={(isOn) => void setParams({ as: isOn ? "fork" : null })}
        into={into}
        onInto={(root) => void setParams({ into: root })}
        onLaunched={(root) => void setParams({ run: root }, { history: "push" })}
        onBack={() => void setParams({ run: null, as: null, beside: null })}
        planName={planName ?? null}
        published={published}
        head={head}
        others={sheet.others}
        view={view}
        onView={(next) => void setParams({ view: next })}
        onEditHere={() => {
          const now = saving.get();
          if (now.state !== "elsewhere") return;
          const said = goOnHere(now.newer);
          if (said) announce({ title: said.title, detail: said.detail, ...(said.isFailed && { status: "failed" }) });
        }}
        onPublished={(plan, version) => {
          setPublished(version);
          setHead(plan.head_version);
          // The version has all of it. The next change begins a draft of that version.
          void forget();
          void queryClient.invalidateQueries({ queryKey: trpc.plan.sheet.queryKey() });
          if (planName === undefined) {
            setPlanName(plan.name);
            isNamed.current = true;
            const go = () => router.replace(`${base}/compose/${encodeURIComponent(plan.name)}`);
            // The draft's address may still be on its way, and would take the page back to it.
            void addressed.current.then(go, go);
          }
        }}
      />
    </ComposerProvider>
  );
}

function focusField(store: DrawingStore, field: EditField): void {
  if (field === "name" || field === "inputs") store.select([]);
  const name = field === "target" ? "aside[aria-label=Inspector] .segmented button" : `[data-field="${field}"]`;
  const focus = (): boolean => {
    const found = document.querySelector<HTMLInputElement>(name);
    found?.focus();
    if (field === "title" || field === "name") found?.select();
    return found !== null;
  };
  // At once where it is there: the next key is typed into it already.
  if (!focus()) requestAnimationFrame(focus);
}
