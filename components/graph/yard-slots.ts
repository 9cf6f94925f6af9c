// What the yard hands to the parts that app/ puts into it: other features, which it may not know.
import type { AlarmFrame, BatchFrame, EdgeFrame, TurnFrame } from "@/server/contract/frame";
import type { TurnStatus } from "@/server/contract/turn";
import type { LinkStatus } from "./live/live-picture";

/** What the inspector is given; it is another feature, so app/ puts it in. */
export type InspectorSlot = {
  projectId: string;
  turn: TurnFrame;
  /** How it was called for; absent for the first turn of a run. */
  edge: EdgeFrame | undefined;
  /** `sheet` on a phone. */
  variant: "panel" | "sheet";
  /** False for an import whose log had no clock. */
  hasTimes: boolean;
  /** When the picture stands still, the time it shows. */
  pausedAt: number | null;
  /** The moment that is shown, where it is not now. */
  asOf: number | null;
  /** Batches it has forked and waits for, in words. */
  awaited: readonly {
    batch_id: string;
    name: string;
    title: string;
    progress: string;
    awaited: string;
    deadline_at: string | undefined;
  }[];
  /** The batch it is a branch of, and which of its tasks, from 1. */
  branch: { batch_id: string; name: string; task: number } | null;
  /** Alarms about it that nobody has muted. */
  alarms: readonly AlarmFrame[];
  /** Writes of a passed epoch that were refused. */
  lateCount: number;
  /** How often what it asks people has changed; 0 = it has asked nobody. */
  requestRevs: number;
  /** What a stop would meet, at the moment it is asked for. */
  getBelow: () => Below;
  onSelect: (agentTurnId: string) => void;
  onClose: () => void;
};

export type Below = {
  /** Every turn below it that has not ended. */
  below: readonly TurnFrame[];
  /** Batches that have not ended; `held` of their tasks have no turn. */
  running: ReadonlyMap<string, { batch: BatchFrame; name: string; held: number }>;
  /** The batch it is a branch of, while that runs: who forked it, and how its other tasks stand. */
  branchOf: {
    batch: BatchFrame;
    name: string;
    caller: string;
    others: readonly (TurnStatus | "pending")[];
  } | null;
};

export type ConnectionSlot = { status: LinkStatus; since: number };
