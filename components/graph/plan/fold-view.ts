// What is folded, as it is looked at: what the wagon is called, how its turns stand, and what they hold. Pure.
import { profileLabel } from "@/components/domain/agent-names";
import type { Block } from "@/components/ground/block";
import type { AspectStatus } from "@/components/ui/sign-words";
import type { TurnFrame } from "@/server/contract/frame";
import { type RunStats, runStats } from "../run-stats";
import type { Alike } from "./alike";
import type { BatchView, BatchViews } from "./batch-view";
import type { Stretch } from "./stretches";

export type FoldView = {
  id: string;
  /** A batch, calls alike, what follows a turn in a long conversation, or all that hangs on a turn. */
  kind: "batch" | "alike" | "stretch" | "below";
  batch: BatchView | undefined;
  /** B1; the profile of calls alike; the headcode of the turn that holds what it called. */
  name: string;
  /** All turns it holds, also what they called. */
  turns: readonly TurnFrame[];
  /** Those that its caller called; of a batch its tasks. */
  count: number;
  stats: RunStats;
  /** What is furthest from good. */
  worst: AspectStatus;
};

export type FoldViews = ReadonlyMap<string, FoldView>;

type Drawn = {
  topology: {
    blocks: ReadonlyMap<string, Block>;
    held: ReadonlyMap<string, string>;
    alike: ReadonlyMap<string, Alike>;
    stretches: ReadonlyMap<string, Stretch>;
  };
  turns: readonly TurnFrame[];
  batches: BatchViews;
};

/** The same object for every wagon in which nothing changed. */
export function foldViews({ topology, turns, batches }: Drawn, before: FoldViews): FoldViews {
  const loads = new Map<string, TurnFrame[]>();
  for (const block of topology.blocks.values()) if (block.is_folded) loads.set(block.id, []);
  for (const turn of turns) {
    const holder = topology.held.get(turn.agent_turn_id);
    if (holder === undefined) continue;
    const load = loads.get(holder);
    if (load) load.push(turn);
    else loads.set(holder, [turn]);
  }
  const byId = new Map<string, TurnFrame>();
  if (loads.size > 0) for (const turn of turns) byId.set(turn.agent_turn_id, turn);
  const views = new Map<string, FoldView>();
  for (const [id, load] of loads) {
    const known = before.get(id);
    const isSame =
      known?.batch === batches.get(id) &&
      known?.turns.length === load.length &&
      known.turns.every((turn, at) => turn === load[at]);
    views.set(id, isSame && known ? known : viewOf(id, load));
  }
  return views;

  function viewOf(id: string, load: readonly TurnFrame[]): FoldView {
    const batch = batches.get(id);
    const alike = topology.alike.get(id);
    const members = alike?.members.map((turn) => turn.agent_turn_id) ?? topology.stretches.get(id)?.members;
    const stretch = topology.stretches.get(id)?.members.every((turn) => topology.held.get(turn) === id);
    const own = members && new Set(members);
    const statuses = [...load.map((turn) => turn.status), ...(batch?.lanes.map((lane) => lane.status) ?? [])];
    return {
      id,
      kind: batch ? "batch" : alike ? "alike" : stretch ? "stretch" : "below",
      batch,
      name: batch?.name ?? (alike ? profileLabel(alike.profile_name) : (byId.get(id)?.headcode ?? "")),
      turns: load,
      count: batch?.batch.task_count ?? (own ? load.filter((turn) => own.has(turn.agent_turn_id)).length : load.length),
      stats: runStats(load),
      worst: worstOf(statuses),
    };
  }
}

export function worstOf(statuses: readonly AspectStatus[]): AspectStatus {
  let least: AspectStatus = "success";
  for (const status of statuses) if (badness.indexOf(status) < badness.indexOf(least)) least = status;
  return least;
}

/** From worst to best. */
const badness: readonly AspectStatus[] = [
  "failed",
  "timeout",
  "running",
  "suspended",
  "dispatched",
  "queued",
  "canceled",
  "partial",
  "success",
];
