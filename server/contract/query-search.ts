// A search of a project in the search language (docs/debugging.md): what is asked, and what is answered.
import * as z from "zod";
import { Id } from "./ids";
import type { CardLine, TurnRef } from "./line";
import type { BoxHit } from "./search";
import { type QueryKind, queryKinds } from "./search-query/fields";
import { QUERY_CHARS_MAX } from "./search-query/scan";

export const QuerySearch = z.strictObject({
  /** Longer ones are refused by the parser, which says in which column. */
  q: z
    .string()
    .max(QUERY_CHARS_MAX * 10)
    .default(""),
  kind: z.enum(queryKinds).optional(),
  /** Of each kind. */
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(1_000).optional(),
  facets: z.stringbool().default(false),
});
export type QuerySearch = z.infer<typeof QuerySearch>;

export const TurnIdSearch = z.strictObject({
  project_id: Id,
  q: z.string().max(QUERY_CHARS_MAX * 10),
  /** Of one run alone. */
  root_turn_id: Id.optional(),
});
export type TurnIdSearch = z.infer<typeof TurnIdSearch>;
/** `is_partial`: older turns may fit too. */
export type QueryTurnIds = { ids: string[]; is_partial: boolean };

export type QueryTurn = TurnRef & {
  run_number?: number;
  /** In and out, as the providers reported them. */
  token_count: number;
  step_count: number;
  cost?: number;
  error_code?: string;
  batch_id?: string;
  note?: string;
  started_at?: string;
  ended_at?: string;
};
export type QueryBox = Omit<BoxHit, "consist" | "opening"> & { owner_turn_id?: string };
/** A run, agent, profile, batch or context pack as one line. */
export type QueryThing = { id: string; title: string; detail?: string; status?: string; created_at: string };

/**
 * A value of a field, and the filter that asks for it: added to the query, or taken away, by edit-filter.ts. `name`: the display name
 * of an agent or author, the title of a run.
 */
export type QueryFacetValue = { value: string; name?: string; filter: string; count: number };
export type QueryFacets = {
  /** Rows that were looked at, newest first. `is_all`: there are no others that could be hits. */
  looked_at: number;
  is_all: boolean;
  /** Of these, hits. */
  hits: number;
  /** The 20 most frequent values of each field. */
  fields: { field: string; values: QueryFacetValue[] }[];
};

type Group<K extends QueryKind, Item> = {
  kind: K;
  items: Item[];
  next_cursor?: string;
  /** Not all rows were looked at: the cursor goes on with those. */
  is_partial: boolean;
  looked_at?: number;
  facets?: QueryFacets;
};
export type QueryGroup =
  | Group<"card", CardLine>
  | Group<"turn", QueryTurn>
  | Group<"box", QueryBox>
  | Group<"run" | "agent" | "profile" | "batch" | "pack", QueryThing>;

export type QueryAnswer = {
  /** The query as it was understood. */
  query: string;
  groups: QueryGroup[];
  /** Kinds that were not searched: the query uses fields that they do not have. */
  skipped: { kind: QueryKind; column: number; message: string }[];
};
