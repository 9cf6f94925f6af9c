// What a worker of this process takes on without a claim: (1) a turn whose last branch this worker has just ended, in the place that the
// branch leaves, so that a worker with one place continues too; (2) turns made by its own turns, and the next nodes of a plan when such a
// turn ends, in free places.
import type { Kernel, Offered, Taker } from "@/server/kernel/kernel";
import { type Delivered, type DeliverInput, deliverTurns } from "@/server/kernel/turns/deliver-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";

export type Places = {
  worker_id: string;
  /** Names of worker targets; "*" takes everything. */
  targets: readonly string[];
  concurrency: number;
  /** Turns it has, those that are ending included. */
  active: () => number;
  /** Places promised to a claim that is under way. */
  claiming: () => number;
  /** Others may wait for its places: they are given by claims alone, which serve everybody in turn. */
  isBehind: () => boolean;
  /** Aborted when it is told to stop. */
  leaving: AbortSignal;
  /** Runs the turn, which is its own already. */
  begin: (turn: TurnRow) => void;
  /** It may hold a turn that it does not know of. */
  doubt: () => void;
  /** Places that were reserved are free again. */
  freed: () => void;
};

export type Taking = {
  /** The kernel for its turns: what they make, it takes on. */
  kernel: Kernel;
  /** Ends turns; answers in input order. */
  deliver: (turns: DeliverInput[]) => Promise<Delivered[]>;
  /** Places reserved for turns that are being made. */
  reserved: () => number;
};

export function createTaking(kernel: Kernel, places: Places): Taking {
  const { worker_id, targets, concurrency, leaving } = places;
  let ending = 0;
  let reserved = 0;
  // The same rule as in a claim.
  const serves = ({ worker_target, needs_own_worker, is_kept }: Offered) =>
    !needs_own_worker && (targets.includes(worker_target) || (targets.includes("*") && !is_kept));
  const taker: Taker = {
    worker_id,
    serves,
    mayTake: (turn) => !leaving.aborted && serves(turn) && places.active() + reserved - ending < concurrency,
    reserve: (n) => {
      if (leaving.aborted || places.isBehind()) return 0;
      const granted = Math.max(0, Math.min(n, concurrency - places.active() - places.claiming() - reserved));
      reserved += granted;
      return granted;
    },
    release: (n) => {
      reserved -= n;
      places.freed();
    },
    take: (turn) => places.begin(turn as TurnRow),
    doubt: places.doubt,
  };
  const taking: Kernel = { ...kernel, taker };
  const deliver = async (turns: DeliverInput[]) => {
    ending += turns.length;
    try {
      return await deliverTurns(taking, turns);
    } finally {
      ending -= turns.length;
    }
  };
  return { kernel: taking, deliver, reserved: () => reserved };
}
