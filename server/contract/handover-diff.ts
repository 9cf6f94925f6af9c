// What a caller had, what was packed, and what its callee saw: one verdict for every card of a hand-over.
import * as z from "zod";
import type { CardLine, TurnRef } from "./line";
import type { Primitive } from "./turn";

/** In the order in which they are tried: a card has the first that fits. */
export const handoverVerdicts = [
  "redacted",
  "rewritten",
  "memory",
  "passed",
  "passed_unseen",
  "added",
  "left_out",
  "withheld",
  "trimmed",
  "not_sent",
] as const;
export const HandoverVerdict = z.enum(handoverVerdicts);
export type HandoverVerdict = z.infer<typeof HandoverVerdict>;

/** Cards and estimated tokens. */
export type Weight = { cards: number; tokens: number };
/** `consist`: the whole column to scale, whatever the filter and the page. */
export type ColumnWeight = Weight & { consist: string };

/**
 * `request`: the request of the step that made the call, and what the step had written by then. `boxes`: context and output as
 * they were at the call, because no request is stored. `offered`: what a person chose. `fork`: the request it was forked from.
 * `none`: nobody called.
 */
export type CallerSide = "request" | "boxes" | "offered" | "fork" | "none";
/** `request`: the first request. `context`: the context box, because nothing has been sent, or it was not recorded. */
export type CalleeSide = "request" | "context";

/** Positions count from 0 in the order of each column. Absent = the card is not in that column. */
export type HandoverRow = {
  verdict: HandoverVerdict;
  had?: CardLine & { at: number; in: "system" | "context" | "output" };
  packed?: CardLine & { at: number; origin: string };
  saw?: CardLine & { at: number; in: "system" | "context" | "memory" };
  /** In no column of this row: what was left out unseen by the caller, or the original of a copy. */
  card?: CardLine;
  /** Why it was left out, trimmed or not sent, and what was redacted. Never a secret. */
  reason?: string;
  /** True if not all branches of the fork were given it. */
  differs?: true;
};

/** Each side counts only the cards that are in its column. */
export type VerdictWeight = Weight & { had: Weight; saw: Weight };

export type HandoverSheet = {
  callee: TurnRef & { side: CalleeSide; is_sent: boolean; step_id?: string };
  caller?: TurnRef & { side: CallerSide; step_id?: string; ordinal?: number };
  primitive: Primitive;
  context_box_id: string;
  recipe?: { name: string; version: number };
  /** False = nothing recorded how it was packed, so it cannot be packed again. */
  has_receipt: boolean;
  had: ColumnWeight;
  packed: ColumnWeight;
  saw: ColumnWeight;
  verdicts: Partial<Record<HandoverVerdict, VerdictWeight>>;
  /** Branches of the same fork in task order, this one too. Empty without a fork. */
  branches: { agent_turn_id: string; headcode: string; task_index: number }[];
  /** In aligned order. */
  rows: HandoverRow[];
  /** Rows that fit the filter, of which `rows` begins at `from`. */
  rows_total: number;
  from: number;
};

export const HandoverQuery = z.strictObject({
  verdict: HandoverVerdict.optional(),
  from: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});
export type HandoverQuery = z.infer<typeof HandoverQuery>;
