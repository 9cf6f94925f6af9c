// The answer of a search in the search language.
import * as z from "zod";
import { queryKinds } from "../search-query/fields";
import { BoxKind } from "./boxes";
import { CardLine } from "./handover";
import { TurnRef } from "./turns";

const Facets = z
  .strictObject({
    looked_at: z.number().describe("Rows that were looked at, newest first."),
    is_all: z.boolean().describe("There are no other rows that could be hits."),
    hits: z.number(),
    fields: z.array(
      z.strictObject({
        field: z.string(),
        values: z.array(
          z.strictObject({
            value: z.string(),
            name: z.string().optional().describe("The display name of an agent or author, or the title of a run."),
            filter: z.string().describe("The term that asks for it, such as `type:tool.call`."),
            count: z.number(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: "SearchFacets" });

const group = {
  next_cursor: z.string().optional(),
  is_partial: z
    .boolean()
    .describe("Only `looked_at` rows were looked at. There may be more hits: go on with `next_cursor`."),
  looked_at: z.number().optional(),
  facets: Facets.optional(),
};
const SearchTurn = TurnRef.extend({
  run_number: z.number().optional(),
  token_count: z.number().describe("In and out, as the providers reported them."),
  step_count: z.number(),
  cost: z.number().optional(),
  error_code: z.string().optional(),
  batch_id: z.string().optional(),
  note: z.string().optional(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
}).meta({ id: "SearchTurn" });
const SearchBox = z
  .strictObject({
    box_id: z.string(),
    kind: BoxKind,
    length: z.number(),
    token_sum: z.number(),
    created_at: z.string(),
    owner_turn_id: z.string().optional().describe("The turn that reads or writes it."),
    owner_headcode: z.string().optional(),
    owner_profile_name: z.string().optional(),
    owner_title: z.string().optional(),
    run_number: z.number().optional(),
  })
  .meta({ id: "SearchBox" });
const SearchThing = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    detail: z.string().optional(),
    status: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: "SearchThing" });

const things = ["run", "agent", "profile", "batch", "pack"] as const;
export const SearchAnswer = z
  .strictObject({
    query: z.string().describe("As it was understood."),
    groups: z.array(
      z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("card"), items: z.array(CardLine), ...group }),
        z.strictObject({ kind: z.literal("turn"), items: z.array(SearchTurn), ...group }),
        z.strictObject({ kind: z.literal("box"), items: z.array(SearchBox), ...group }),
        z.strictObject({ kind: z.enum(things), items: z.array(SearchThing), ...group }),
      ]),
    ),
    skipped: z
      .array(z.strictObject({ kind: z.enum(queryKinds), column: z.number(), message: z.string() }))
      .describe("Kinds that were not searched: the query uses fields that they do not have."),
  })
  .meta({ id: "SearchAnswer" });
