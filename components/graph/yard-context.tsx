"use client";

// What the parts of the yard share. Parts take ids and look up their own slice, so a frame redraws one wagon and not all.
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { QueryFault } from "@/components/domain/query-fault";
import { useNow } from "@/components/ui/use-now";
import type { AlarmFrame, HumanRequestFrame, LateFrame, PlanNodeFrame, TurnFrame } from "@/server/contract/frame";
import type { Then, TimeWays } from "./as-of/use-yard-time";
import { awaitedBatchWords, branchWords } from "./batch-words";
import type { LivePicture, LiveState } from "./live/live-picture";
import { alarmsOf, alarmWords, isHeard } from "./plan/alarms";
import { askedWords, requestsOf } from "./plan/asked";
import type { BatchView, BatchViews } from "./plan/batch-view";
import type { FoldView } from "./plan/fold-view";
import type { Folds } from "./plan/folds";
import { LATE_WORDS, lateWritesOf } from "./plan/late-writes";
import { awaitedPlanWords, type PlanSteps, plansOf } from "./plan/plan-steps";
import type { Topology, YardModel } from "./plan/yard-model";

export type Yard = {
  projectId: string;
  /** The picture that is shown: the live one, or that of another moment. */
  live: LivePicture;
  model: YardModel;
  /** The live one, whatever is shown: what the timeline draws. */
  base: Then;
  /** The moment that is shown, and the ways to change it. */
  ways: TimeWays;
  /** What is shown is not now. */
  isThen: boolean;
  /** The selected turn, or the place of one that a plan has not started; it lives in the address. */
  selectedId: string | null;
  select: (id: string | null) => void;
  /** Who called whom, the agents, or which cards went where. */
  lens: "agents" | "flow" | null;
  /** The selected edge of the context flow; choosing a turn leaves it. */
  edge: { from: string; to: string } | null;
  setEdge: (edge: { from: string; to: string } | null) => void;
  /** Null when nothing is filtered. */
  matches: ReadonlySet<string> | null;
  /** Where the filter cannot be read. */
  fault: QueryFault | null;
  openBox: (boxId: string) => void;
  /** The page of a turn: what a double click and Enter open. */
  openTurn: (agentTurnId: string) => void;
  /** What a person has folded, or unfolded; it lives in the address. */
  folds: Folds;
  /** Folds a batch, calls alike, or all that hangs on a turn into one wagon, or unfolds it. */
  setFold: (id: string, shall: boolean) => void;
  /** Everything, nothing, or what folds by itself. */
  foldAll: (what: "all" | "none" | "itself") => void;
};

export const YardContext = createContext<Yard | null>(null);

export function useYard(): Yard {
  const yard = useContext(YardContext);
  if (yard === null) throw new Error("The parts of the yard need <YardContext> above them; yard-screen.tsx has it.");
  return yard;
}

export function useTurn(id: string): TurnFrame | undefined {
  const { live } = useYard();
  const subscribe = useCallback((listener: () => void) => live.subscribeEntity("turn", id, listener), [live, id]);
  const get = useCallback(() => live.getPicture().turn.get(id), [live, id]);
  return useSyncExternalStore(subscribe, get, get);
}

export function useTopology(): Topology {
  const { model } = useYard();
  return useSyncExternalStore(model.subscribe, model.getTopology, model.getTopology);
}

export function useTurns(): readonly TurnFrame[] {
  const { model } = useYard();
  return useSyncExternalStore(model.subscribe, model.getTurns, model.getTurns);
}

/** The turns as they are now, whatever moment is shown. */
export function useBaseTurns(): readonly TurnFrame[] {
  const { model } = useYard().base;
  return useSyncExternalStore(model.subscribe, model.getTurns, model.getTurns);
}

export function useBatches(): BatchViews {
  const { model } = useYard();
  return useSyncExternalStore(model.subscribe, model.getBatches, model.getBatches);
}

/** The same object for as long as nothing in it changes. */
export function useBatch(id: string | undefined): BatchView | undefined {
  const { model } = useYard();
  const get = useCallback(() => model.getBatches().get(id ?? ""), [model, id]);
  return useSyncExternalStore(model.subscribe, get, get);
}

/** Of what is folded: the same object for as long as nothing in it changes. */
export function useFold(id: string | undefined): FoldView | undefined {
  const { model } = useYard();
  const get = useCallback(() => model.getFolds().get(id ?? ""), [model, id]);
  return useSyncExternalStore(model.subscribe, get, get);
}

/** How many turns of it wait for a person, and how many have an alarm that nobody has muted. */
export function useFoldSigns({ turns }: FoldView): { asking: number; alarmed: number } {
  const { live } = useYard();
  const getRequests = useCallback(() => live.getPicture().human_request, [live]);
  const getAlarms = useCallback(() => live.getPicture().alarm, [live]);
  const getRules = useCallback(() => live.getPicture().alarm_rule, [live]);
  const requests = useSyncExternalStore(live.subscribe, getRequests, getRequests);
  const alarms = useSyncExternalStore(live.subscribe, getAlarms, getAlarms);
  const rules = useSyncExternalStore(live.subscribe, getRules, getRules);
  return useMemo(() => {
    const signs = { asking: 0, alarmed: 0 };
    for (const { agent_turn_id: id } of turns) {
      if (requestsOf(requests, id).some((request) => request.status === "open")) signs.asking++;
      if (alarmsOf(alarms, id).some((alarm) => isHeard(alarm, rules))) signs.alarmed++;
    }
    return signs;
  }, [turns, requests, alarms, rules]);
}

/** What the yard knows of a turn besides its frame, in words: the branch it is, and whether somebody still writes as it. */
export function useMoreWords(turn: TurnFrame | undefined): readonly (string | null)[] {
  const batch = useBatch(turn?.batch_id);
  const isHaunted = useLateWrites(turn?.agent_turn_id ?? "").length > 0;
  const asked = askedWords(useRequests(turn?.agent_turn_id ?? ""));
  const awaited = useAwaitedPlan(turn);
  const alarms = alarmWords(useAlarms(turn?.agent_turn_id ?? ""));
  return [
    branchWords(batch, turn?.task_index),
    asked,
    awaited,
    isHaunted ? LATE_WORDS : null,
    alarms === null ? null : `alarm: ${alarms}`,
  ];
}

/** "Waiting for B1, 1 still running", while the turn waits for a batch, or for a plan that makes batches. */
export function useAwaitedWords(turn: TurnFrame | undefined): string | null {
  const { model } = useYard();
  const id = turn?.status === "suspended" ? turn.agent_turn_id : undefined;
  const get = useCallback(() => (id === undefined ? null : awaitedBatchWords(model.getBatches(), id)), [model, id]);
  const batch = useSyncExternalStore(model.subscribe, get, get);
  return useAwaitedPlan(turn) ?? batch;
}

/** "Waiting for first-look, 1 of 3 steps over" */
function useAwaitedPlan(turn: TurnFrame | undefined): string | null {
  const { live } = useYard();
  const id = turn?.status === "suspended" ? turn.agent_turn_id : undefined;
  const get = useCallback(() => (id === undefined ? null : awaitedPlanWords(live.getPicture(), id)), [live, id]);
  return useSyncExternalStore(live.subscribe, get, get);
}

/** The plans of one run with their steps. */
export function usePlans(root_turn_id: string): readonly PlanSteps[] {
  const { live } = useYard();
  const getRuns = useCallback(() => live.getPicture().plan_run, [live]);
  const getNodes = useCallback(() => live.getPicture().plan_node, [live]);
  const plan_run = useSyncExternalStore(live.subscribe, getRuns, getRuns);
  const plan_node = useSyncExternalStore(live.subscribe, getNodes, getNodes);
  return useMemo(() => plansOf({ plan_run, plan_node }, root_turn_id), [plan_run, plan_node, root_turn_id]);
}

/** Nodes of plans as they stand, by the id of their frame. */
export function usePlanNodes(): ReadonlyMap<string, PlanNodeFrame> {
  const { live } = useYard();
  const get = useCallback(() => live.getPicture().plan_node, [live]);
  return useSyncExternalStore(live.subscribe, get, get);
}

/** What the turn has asked people, decided or not. */
export function useRequests(agentTurnId: string): readonly HumanRequestFrame[] {
  const { live } = useYard();
  const get = useCallback(() => requestsOf(live.getPicture().human_request, agentTurnId), [live, agentTurnId]);
  return useSyncExternalStore(live.subscribe, get, get);
}

/** Writes of an epoch that had passed, which were refused. */
export function useLateWrites(agentTurnId: string): readonly LateFrame[] {
  const { live } = useYard();
  const get = useCallback(() => lateWritesOf(live.getPicture().rejected_late, agentTurnId), [live, agentTurnId]);
  return useSyncExternalStore(live.subscribe, get, get);
}

/** Alarms found in the turn that nobody has muted. */
export function useAlarms(agentTurnId: string): readonly AlarmFrame[] {
  const { live } = useYard();
  const get = useCallback(() => alarmsOf(live.getPicture().alarm, agentTurnId), [live, agentTurnId]);
  const getRules = useCallback(() => live.getPicture().alarm_rule, [live]);
  const alarms = useSyncExternalStore(live.subscribe, get, get);
  const rules = useSyncExternalStore(live.subscribe, getRules, getRules);
  return useMemo(() => alarms.filter((alarm) => isHeard(alarm, rules)), [alarms, rules]);
}

export function useLiveState(live: LivePicture): LiveState {
  return useSyncExternalStore(live.subscribe, live.getState, live.getState);
}

/** The time of the picture: it stands still while the picture is paused. 0 while the server's markup is taken over. */
export function useYardNow(): number {
  const { live } = useYard();
  const now = useNow();
  return useLiveState(live).paused_at ?? now;
}

/** As `useYardNow`, of the live picture: it stands still while that is paused, or another moment is shown. */
export function useBaseNow(): number {
  const { base } = useYard();
  const now = useNow();
  return useLiveState(base.live).paused_at ?? now;
}
