// Two boxes compared card by card: what the answer says and what may be asked for.
import * as z from "zod";
import type { BoxKind } from "../box";
import type { Weight } from "../handover-diff";
import type { CardLine, TurnRef } from "../line";
import type { PairChange } from "./pair-change";

/** A card has exactly one: the first that fits. */
const diffVerdicts = ["same", "moved", "rewritten", "added", "removed"] as const;
export const DiffVerdict = z.enum(diffVerdicts);
export type DiffVerdict = z.infer<typeof DiffVerdict>;

/** How a rewritten card found its older self: it is a copy of it, or at least half of their words in order are the same. */
export type PairedBy = "copy" | "alike";

/** Positions count from 0. Absent = the card is not in that box. */
export type BoxDiffRow = {
  verdict: DiffVerdict;
  a?: CardLine & { at: number };
  b?: CardLine & { at: number };
  /** Two cards with the same words. Without it, same and moved mean one card. */
  same_words?: true;
  paired_by?: PairedBy;
  /** Of alike cards: the share of their shingles that both have, 0.5 to 1. */
  alike?: number;
  /** What differs inside a rewritten pair. */
  change?: PairChange;
};

/** Each side counts only the cards that are in its box. */
export type DiffWeight = Weight & { a: Weight; b: Weight };

export type DiffBox = { box_id: string; kind: BoxKind; cards: number; tokens: number } & {
  /** The turn that the box was made for. */
  turn?: TurnRef;
  /** Of a request: the step that sent it. */
  step_id?: string;
  ordinal?: number;
};

export type BoxDiff = {
  a: DiffBox;
  b: DiffBox;
  verdicts: Partial<Record<DiffVerdict, DiffWeight>>;
  /** Cards for which no rewritten card was sought by their words, because there were too many. 0 = all were compared. */
  unpaired: number;
  /** In the order of b, with removed cards at their old place. */
  rows: BoxDiffRow[];
  /** Rows that fit the filter, of which `rows` begins at `from`. */
  rows_total: number;
  from: number;
};

export const BoxDiffQuery = z.strictObject({
  verdict: DiffVerdict.optional(),
  from: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});
export type BoxDiffQuery = z.infer<typeof BoxDiffQuery>;
