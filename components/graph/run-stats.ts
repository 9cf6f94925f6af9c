// The run in one line: how many are done, at work, waiting, failed, and what they hold.
import type { RunFrame, TurnFrame } from "@/server/contract/frame";
import { heldTokens } from "@/server/contract/tokens";
import type { TurnStatus } from "@/server/contract/turn";

export type StatGroup = "done" | "running" | "waiting" | "failed" | "canceled";
export type RunStats = Record<StatGroup, number> & {
  tokens: number;
  /** Null while no price is known. */
  cost: number | null;
  /** Turns that used tokens and whose price is not known: the sum leaves them out. */
  unpriced: number;
};

/** docs/tokens.md, "held": the figure of a run is the sum of its turns. */
export const heldTitle =
  "The tokens that its turns hold, added up. A card in the boxes of several turns counts in each of them";

/** docs/tokens.md, "reported": the figure that the list of runs has. */
export const reportedTitle =
  "What the providers counted: the input of each request and each answer. What every request repeats counts each time";

/** The first status of a group gives its aspect. */
export const groupStatuses: Record<StatGroup, readonly TurnStatus[]> = {
  done: ["success", "partial"],
  running: ["running"],
  waiting: ["suspended", "queued", "dispatched"],
  failed: ["failed", "timeout"],
  canceled: ["canceled"],
};

/**
 * A person's turn counts, as in every other count of turns: "10 done" chose 11 turns, since the filter found the person's too.
 */
export function runStats(turns: readonly TurnFrame[]): RunStats {
  const stats: RunStats = {
    done: 0,
    running: 0,
    waiting: 0,
    failed: 0,
    canceled: 0,
    tokens: 0,
    cost: null,
    unpriced: 0,
  };
  for (const turn of turns) {
    stats[groupOf[turn.status]]++;
    stats.tokens += heldTokens(turn);
    if (turn.cost !== undefined) stats.cost = (stats.cost ?? 0) + turn.cost;
    else if (turn.tokens_in + turn.tokens_out > 0) stats.unpriced++;
  }
  return stats;
}

const groupOf: Record<TurnStatus, StatGroup> = {
  success: "done",
  partial: "done",
  canceled: "canceled",
  running: "running",
  suspended: "waiting",
  queued: "waiting",
  dispatched: "waiting",
  failed: "failed",
  timeout: "failed",
};

/** Where a run comes from. */
export const sourceWords: Record<RunFrame["source"], string> = {
  launch: "launched here",
  import: "imported",
  demo: "a scripted demo",
};
