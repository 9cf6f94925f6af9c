"use client";

// The yard: one run, or all of them, as a track plan, as time, and one turn at a time. Owns what is shared between them.
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { slotHolder } from "@/components/ground/ghosts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyPart } from "@/components/ui/lazy-part";
import { useIsPhone } from "@/components/ui/use-is-phone";
import { StandingNow } from "@/components/ui/use-now";
import type { TurnFrame } from "@/server/contract/frame";
import { AbsentTurn } from "./absent-turn";
import type { AsOfPartProps } from "./as-of/as-of-part";
import { type Then, useYardTime } from "./as-of/use-yard-time";
import { filterTurns } from "./filter-turns";
import type { GoneRunProps } from "./gone-run";
import { Legend } from "./legend/legend";
import { useLivePicture } from "./live/use-live-picture";
import { usePlanGraphs } from "./live/use-plan-graphs";
import { useModel } from "./plan/use-model";
import type { YardModel } from "./plan/yard-model";
import { ALL_RUNS } from "./plan/yard-turns";
import type { TooManyTurnsProps } from "./too-many-turns";
import { useAsked } from "./use-asked";
import { useFolding, useWayOpened } from "./use-folding";
import { bothOf, useSaw, useSawText } from "./use-saw";
import { useLiveState, type Yard, YardContext } from "./yard-context";
import type { YardDeskProps } from "./yard-desk";
import { YardHeading } from "./yard-heading";
import { YardKeys } from "./yard-keys";
import { YardSkeleton } from "./yard-skeleton";
import type { ConnectionSlot, InspectorSlot } from "./yard-slots";
import { yardParams } from "./yard-url";

/** A phone draws the same places otherwise, and each loads only what it draws. */
const loadDesk = () => import("./yard-desk").then((module) => module.YardDesk);
const loadPhone = () => import("./phone/phone-yard").then((module) => module.PhoneYard);
const YardDesk = lazyPart<YardDeskProps>(loadDesk, {
  missing: "The yard could not be loaded",
  waiting: () => <YardSkeleton />,
});
const PhoneYard = lazyPart<YardDeskProps>(loadPhone, {
  missing: "The yard could not be loaded",
  waiting: () => <YardSkeleton />,
});

/** Of all runs, where they are more than a picture holds. */
const TooManyTurns = lazyPart<TooManyTurnsProps>(
  () => import("./too-many-turns").then((module) => module.TooManyTurns),
  { missing: "The yard could not be loaded", waiting: () => <YardSkeleton /> },
);

/** Only who looks back needs it. */
const GoneRun = lazyPart<GoneRunProps>(() => import("./gone-run").then((module) => module.GoneRun), {
  missing: "The yard could not be loaded",
  waiting: () => <YardSkeleton />,
});
const AsOfPart = lazyPart<AsOfPartProps>(() => import("./as-of/as-of-part").then((module) => module.AsOfPart), {
  missing: "An earlier moment could not be loaded",
});

export type YardScreenProps = {
  projectId: string;
  inspector: (slot: InspectorSlot) => ReactNode;
  /** Says that the stream is cut. */
  connection: (slot: ConnectionSlot) => ReactNode;
  /** For a project without turns. */
  empty: ReactNode;
};

export function YardScreen({ projectId, inspector, connection, empty }: YardScreenProps) {
  const router = useRouter();
  const [params, setParams] = useQueryStates(yardParams);
  const isPhone = useIsPhone();
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Beside the picture, not after it; drawn, it says itself when it is missing.
    void (isPhone ? loadPhone() : loadDesk()).catch(() => undefined);
  }, [isPhone]);
  const { run, limit } = params;
  const {
    live: nowLive,
    rootTurnId,
    totalTurns,
    shownTurns,
    error,
    retry,
  } = useLivePicture({
    projectId,
    run,
    turn: params.turn,
    limit,
  });
  const { status, since } = useLiveState(nowLive);
  const { model: nowModel } = useModel(nowLive, rootTurnId, params.fold);
  const arePlansKnown = usePlanGraphs(projectId, nowLive, rootTurnId);

  // What is chosen is chosen in a run. Without its name the address would mean another one as soon as a newer run begins.
  const shownRun = run ?? rootTurnId ?? null;
  const chosenRef = useRef<string | null>(null);
  const writeAt = useCallback((at: Date | null) => void setParams({ at, run: shownRun }), [setParams, shownRun]);
  // All runs at once have no moments that could be told in good time.
  const isOneRun = rootTurnId !== undefined && rootTurnId !== ALL_RUNS;
  const { isThen, ...ways } = useYardTime(isOneRun ? params.at : null, writeAt);
  const { time, settle } = ways;
  const [then, setThen] = useState<Then | null>(null);
  const base = useMemo<Then>(() => ({ live: nowLive, model: nowModel }), [nowLive, nowModel]);
  const { live, model } = then ?? base;
  const { paused_at: pausedAt } = useLiveState(live);
  const turns = useSyncExternalStore(model.subscribe, model.getTurns, model.getTurns);
  const select = useCallback(
    (turn: string | null) => {
      chosenRef.current = turn;
      void setParams({ turn, run: shownRun, flow_from: null, flow_to: null, of_agent: null });
    },
    [setParams, shownRun],
  );
  const setEdge = useCallback(
    (next: Yard["edge"]) => void setParams({ flow_from: next?.from ?? null, flow_to: next?.to ?? null, run: shownRun }),
    [setParams, shownRun],
  );
  const { lens: asked_lens, tour, flow_from: from, flow_to: to } = params;
  // A tour points at what stands on the plan.
  const lens = tour === null ? asked_lens : null;
  const edge = useMemo(() => (lens === "flow" && from !== null && to !== null ? { from, to } : null), [lens, from, to]);
  // A link may name a turn that this scope does not hold; nothing is selected then, and the address stays as it was.
  const selectedId = selectedIn(model, turns, params.turn);
  const isStray = then === null && run === null && params.turn !== null && selectedId === null;
  // What is not there yet may still come once the stream is open again.
  const mayBeAbsent = then === null && run !== null && selectedId === null && status === "live";
  const absent = mayBeAbsent && isMissing(base, rootTurnId, params.turn) ? params.turn : null;
  const isChosen =
    params.turn !== null ||
    params.saw !== null ||
    params.saw_text !== null ||
    params.q !== "" ||
    params.at !== null ||
    params.status.length > 0 ||
    params.fold.length > 0 ||
    params.lens !== null;
  useEffect(() => {
    if (run === null && isChosen && !isStray && shownRun !== null) void setParams({ run: shownRun });
  }, [run, isChosen, isStray, shownRun, setParams]);
  const openBox = useCallback(
    (boxId: string) => router.push(`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(boxId)}`),
    [router, projectId],
  );
  const openTurn = useCallback(
    (id: string) => router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(id)}`),
    [router, projectId],
  );
  const { setFold, foldAll } = useFolding(live, model, setParams, chosenRef);
  useWayOpened(live, model, { turn: params.turn, folds: params.fold, chosen: chosenRef, setParams });
  const sawCard = useSaw(projectId, params.saw);
  const sawText = useSawText(projectId, shownRun, params.saw_text);
  const saw = useMemo(() => bothOf(sawCard, sawText), [sawCard, sawText]);
  const { words, found, fault } = useAsked(projectId, rootTurnId, params.q);
  const matches = useMemo(() => {
    const filtered = filterTurns(turns, {
      q: words,
      statuses: params.status,
      batchOf: (id) => model.getBatches().get(id),
    });
    // Of those that a card came to, or that a query finds, only the ones that are drawn count.
    const asked = bothOf(saw, found);
    const drawn = asked && new Set(turns.flatMap(({ agent_turn_id: id }) => (asked.has(id) ? id : [])));
    return bothOf(filtered, drawn);
  }, [turns, model, words, found, params.status, saw]);
  const yard = useMemo<Yard>(
    () => ({
      projectId,
      live,
      model,
      base,
      ways: { time, settle },
      isThen,
      selectedId,
      select,
      lens,
      edge,
      setEdge,
      matches,
      fault,
      openBox,
      openTurn,
      folds: params.fold,
      setFold,
      foldAll,
    }),
    [
      projectId,
      live,
      model,
      base,
      time,
      settle,
      isThen,
      selectedId,
      select,
      lens,
      edge,
      setEdge,
      matches,
      fault,
      openBox,
      openTurn,
      params.fold,
      setFold,
      foldAll,
    ],
  );

  if (error !== null && totalTurns === undefined)
    return (
      <EmptyState
        size="page"
        title="The yard could not be loaded"
        cause={error}
        remedy={
          <Button icon="retry" onClick={retry}>
            Try again
          </Button>
        }
      />
    );
  // The stream brings turns of every run: a few of them are not the run, and their sums not its sums.
  if (totalTurns === undefined) return <YardSkeleton />;
  if (rootTurnId === undefined) return empty;
  if (then === null && turns.length === 0 && totalTurns === 0)
    return (
      <GoneRun
        projectId={projectId}
        rootTurnId={rootTurnId}
        onLeave={() => void setParams({ run: null, turn: null })}
      />
    );
  // Drawn in part, turns whose callers are missing stood as roots, and every sum was one of a part.
  if (shownTurns !== undefined && shownTurns < totalTurns)
    return (
      <TooManyTurns
        projectId={projectId}
        live={nowLive}
        scope={rootTurnId}
        shownTurns={shownTurns}
        totalTurns={totalTurns}
      />
    );
  // Without a run the turn names it. The newest run in its place would pass for the one that was linked.
  if (isStray && turns.length > 0)
    return (
      <EmptyState
        size="page"
        title="Turn not found"
        cause="This project has no such turn. It was deleted, or the link is for another project."
        remedy={<Button onClick={() => void setParams({ turn: null })}>Show the newest run</Button>}
      />
    );
  // Drawn without its plan, a run would stand elsewhere a moment later.
  if (!arePlansKnown) return <YardSkeleton />;
  return (
    <YardContext value={yard}>
      <YardHeading />
      <AbsentTurn absent={absent} chosen={chosenRef} isOneRun={isOneRun} onLeave={() => select(null)} />
      {isThen ? (
        <AsOfPart
          projectId={projectId}
          live={nowLive}
          model={nowModel}
          rootTurnId={rootTurnId}
          ways={yard.ways}
          onThen={setThen}
        />
      ) : null}
      <StandingNow value={pausedAt}>
        {isPhone ? (
          <PhoneYard inspector={inspector} inputRef={inputRef} totalTurns={totalTurns} />
        ) : (
          <YardDesk inspector={inspector} inputRef={inputRef} totalTurns={totalTurns} />
        )}
      </StandingNow>
      <YardKeys />
      <Legend />
      {connection({ status, since })}
    </YardContext>
  );
}

/** A folded turn is in the picture, an opened wagon in the topology. */
function isMissing({ live, model }: Then, rootTurnId: string | undefined, asked: string | null): boolean {
  if (asked === null || model.getTopology().blocks.has(asked)) return false;
  const turn = live.getPicture().turn.get(asked);
  return turn === undefined || (rootTurnId !== ALL_RUNS && turn.root_turn_id !== rootTurnId);
}

/** A turn, a wagon that holds several, or a place of a plan: that of its turn once it has one. */
function selectedIn(model: YardModel, turns: readonly TurnFrame[], asked: string | null): string | null {
  if (asked === null || turns.some((turn) => turn.agent_turn_id === asked)) return asked;
  const { places, blocks } = model.getTopology();
  return blocks.get(asked)?.is_folded ? asked : slotHolder(places, asked);
}
