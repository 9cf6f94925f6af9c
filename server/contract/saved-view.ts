// A query that is kept under a name, with the page that it is asked on.
import * as z from "zod";
import { runOrders, runSorts, runStatuses } from "./run-order";
import { QUERY_CHARS_MAX } from "./search-query/scan";

export const viewPages = ["search", "cards", "yard", "runs"] as const;
export type ViewPage = (typeof viewPages)[number];
export const VIEWS_MAX = 500;
export const VIEW_NAME_MAX = 80;

// Blanks, controls, marks of direction and fillers: a name of these alone is an empty row in every list. Braille has a blank of its own.
const UNSEEN = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
export const isUnseen = (name: string): boolean => UNSEEN.test(name);

/** Of a view that is there, which may be older than the rule for new ones. */
export const ViewName = z.string().trim().min(1).max(VIEW_NAME_MAX);
/** How the list of runs is shown beside the query. What is left out is as it is without a view. */
export const ViewList = z.strictObject({
  status: z.enum(runStatuses).optional(),
  sort: z.enum(runOrders).optional(),
  columns: z.array(z.enum(runSorts)).max(runSorts.length).optional(),
});
export type ViewList = z.infer<typeof ViewList>;

export const NewView = z.strictObject({
  name: ViewName.refine(
    (name) => !isUnseen(name),
    "has no character that can be seen; write a name that people can read",
  ).describe("Unique in the project. Saving under a taken name replaces that view."),
  page: z
    .enum(viewPages)
    .describe("Where it is opened: the page of search, the list of cards, the yard, or the list of runs."),
  query: z
    .string()
    .trim()
    .max(QUERY_CHARS_MAX)
    .describe("In the search language; it must be readable. Only a view of runs with a `list` may do without."),
  list: ViewList.optional().describe("Of the page `runs` alone."),
});
export type NewView = z.infer<typeof NewView>;

export type SavedView = NewView & { saved_by: string; created_at: string; updated_at: string };
