// Two runs compared turn by turn: what the answer says and what may be asked for.
import * as z from "zod";
import type { RunFrame, TurnFrame } from "../frame";
import type { TurnRef } from "../line";
import type { Parting } from "./parting";
import type { AlignedBy } from "./turn-pair";

/** A turn has exactly one. `same`: nothing that is stored of the two differs, but for ids. */
export const compareVerdicts = ["same", "changed", "only_a", "only_b"] as const;
export const CompareVerdict = z.enum(compareVerdicts);
export type CompareVerdict = z.infer<typeof CompareVerdict>;

/** A turn as one of two. */
export type ComparedTurn = TurnRef &
  Pick<TurnFrame, "context_box_id" | "context_tokens" | "output_tokens" | "step_count" | "tokens_in" | "tokens_out"> &
  Pick<TurnFrame, "output_box_id" | "deliverable_card_id" | "cost" | "note" | "error"> & {
    /** From its start to its end, or to now. Absent = it has not begun, or the imported log has no times. */
    duration_ms?: number;
    /** The number of the run whose recorded result stands here; absent = it ran in this one. */
    as_in_run?: number;
  };

/** What b has more than a. Absent = not known of one of them. */
export type CompareDelta = { tokens: number; cost?: number; duration_ms?: number };

export type CompareRow = {
  verdict: CompareVerdict;
  /** Place among all rows, from 0, and the place of the row that it hangs below. */
  at: number;
  below?: number;
  depth: number;
  a?: ComparedTurn;
  b?: ComparedTurn;
  aligned_by?: AlignedBy;
  delta?: CompareDelta;
  /** Of a changed pair. */
  parts?: Parting;
  /** Its contents were too many to be compared: the verdict is about status, steps, cards and tokens. */
  by_figures?: true;
};

export type CompareFigures = {
  turns: number;
  /** That have not ended. */
  live: number;
  failed: number;
  /** As providers reported them. Absent = no turn has a report. */
  tokens_in?: number;
  tokens_out?: number;
  /** US dollars. Absent = no turn has a price. */
  cost?: number;
  /** Turns that used tokens and have no price. The cost leaves them out. */
  unpriced: number;
  /** From the start of the run to the end of its last turn, or to now. Absent = the imported log has no times. */
  duration_ms?: number;
};

export type ComparedRun = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source" | "created_at"> & {
  /** Turns of it that are compared, of so many. */
  compared: number;
  total: number;
  figures: CompareFigures;
};

export type RunComparison = {
  a: ComparedRun;
  b: ComparedRun;
  verdicts: Record<CompareVerdict, number>;
  /** The first place where they part. Absent = nothing differs. */
  parts?: Parting;
  /** Pairs whose contents were too many to be compared. */
  by_figures: number;
  /** Top down, in the order of reading. */
  rows: CompareRow[];
  /** Rows that fit the filter, of which `rows` begins at `from`. */
  rows_total: number;
  from: number;
};

export const CompareQuery = z.strictObject({
  verdict: CompareVerdict.optional(),
  from: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});
export type CompareQuery = z.infer<typeof CompareQuery>;
