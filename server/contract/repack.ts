// A hand-over packed again, dry, by the recipe that is asked for: what the callee would hold now beside what it holds.
import * as z from "zod";
import type { Refused } from "./delegation";
import { handed } from "./handed";
import type { ColumnWeight, Weight } from "./handover-diff";
import type { CardLine, TurnRef } from "./line";

export const RepackBody = z.strictObject({
  /** Absent = the recorded one. `instruction` is the built-in one. */
  recipe: handed.recipe,
  /** Over the recorded ones, by name. null leaves one out. */
  arguments: handed.arguments,
});
export type RepackBody = z.infer<typeof RepackBody>;

/** changed: the same card or argument, as a copy or another type than before. */
export const repackVerdicts = ["left_out", "changed", "added", "same"] as const;
export const RepackVerdict = z.enum(repackVerdicts);
export type RepackVerdict = z.infer<typeof RepackVerdict>;

/** Positions count from 0 in each box. `is_new`: a dry run made it, and it is stored nowhere. */
export type RepackedCard = Pick<CardLine, "card_id" | "type" | "role" | "token_count" | "title"> & {
  at: number;
  is_new: boolean;
};
export type RepackRow = {
  verdict: RepackVerdict;
  held?: RepackedCard;
  now?: RepackedCard;
  /** Why it is left out, changed or added, where that is known. */
  reason?: string;
};

export type RepackRecipe = { name: string; version: number };
/** Rows that a page shows. Those that differ have their place before those that do not. */
export const REPACK_ROWS_MAX = 1_000;

export type Repack =
  | {
      ok: true;
      callee: TurnRef;
      /** Absent = the built-in one, or rules that were not recorded (`notes` says which). */
      recorded?: RepackRecipe;
      /** The one that packed now. Absent = the built-in one. */
      recipe?: RepackRecipe;
      /** The recorded ones. */
      arguments: Record<string, unknown>;
      notes: string[];
      held: ColumnWeight;
      now: ColumnWeight;
      verdicts: Record<RepackVerdict, Weight>;
      rows: RepackRow[];
      rows_total: number;
    }
  | Refused;
