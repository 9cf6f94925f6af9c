// What a worker of this process takes on without a claim: a turn that waited for the last branch of a fork, which this worker has just
// ended. The place that the branch leaves is the one it takes, so a worker of one turn at a time goes on too.
import type { Kernel, Taker } from "@/server/kernel/kernel";
import { type Delivered, type DeliverInput, deliverTurns } from "@/server/kernel/turns/deliver-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";

export type Places = {
  worker_id: string;
  /** Names of worker targets; "*" takes everything. */
  targets: readonly string[];
  concurrency: number;
  /** Turns it has, those that are ending included. */
  active: () => number;
  /** Aborted when it is told to stop. */
  leaving: AbortSignal;
  /** Runs the turn, which is its own already. */
  begin: (turn: TurnRow) => void;
  /** It may hold a turn that it does not know of. */
  doubt: () => void;
};

/** Ends turns; answers in input order. */
export function createEnding(kernel: Kernel, places: Places): (turns: DeliverInput[]) => Promise<Delivered[]> {
  const { worker_id, targets, concurrency, leaving } = places;
  let ending = 0;
  const taker: Taker = {
    worker_id,
    // The same rule as in a claim.
    mayTake: ({ worker_target, needs_own_worker, is_kept }) =>
      !leaving.aborted &&
      !needs_own_worker &&
      (targets.includes(worker_target) || (targets.includes("*") && !is_kept)) &&
      places.active() - ending < concurrency,
    take: (turn) => places.begin(turn as TurnRow),
    doubt: places.doubt,
  };
  const taking: Kernel = { ...kernel, taker };
  return async (turns) => {
    ending += turns.length;
    try {
      return await deliverTurns(taking, turns);
    } finally {
      ending -= turns.length;
    }
  };
}
