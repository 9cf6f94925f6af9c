// One page of hits of one kind, newest first. What was not looked at is said, and the cursor goes on there. At most five
// statements, however long the query is.
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import { formatPageCursor, NEWEST_PLACE, parsePageCursor } from "../cardbox/page-cursor";
import type { Reader } from "../reader";
import { type Bind, conditionOf } from "./condition";
import { LOOKED_AT_MAX, readScope } from "./read-scope";
import { type Hit, type Source, statement } from "./source";
import { wordsLikeIds } from "./words";

export type PageInput = { project_id: string; tree: QueryTree; limit: number; cursor?: string };
/** `is_partial`: rows older than the cursor were not looked at, and may be hits too. */
export type HitPage<Row> = { rows: Row[]; next_cursor?: string; is_partial: boolean; looked_at?: number };

export async function readPage<Row extends Hit>(
  reader: Reader,
  source: Source<Row>,
  input: PageInput,
): Promise<HitPage<Row>> {
  const { project_id, tree, limit } = input;
  const after = parsePageCursor(project_id, input.cursor);
  const words = wordsLikeIds(tree);
  // More hits that come first than a page holds: those behind its end were on no page. They are found by their age.
  const named = words.length > limit ? [] : words;
  const scope = await readScope(reader, source, input);
  const exact = after === null && named.length > 0 ? await exactRows(reader, source, { project_id, tree, named }) : [];
  const within = (bind: Bind) =>
    scope.within(bind, after) + (named.length === 0 ? "" : ` AND ${source.id} <> ALL (${bind(named, "text[]")})`);
  const page = statement(project_id, (bind) => ({
    within: within(bind),
    where: conditionOf(scope.rest, scope.sql, bind),
    window: scope.window,
    limit: limit + 1,
  }));
  const found = [...exact, ...(await source.rows(reader, page.pieces, page.values))];
  const rows = found.slice(0, limit);
  const last = rows.length > exact.length ? rows.at(-1) : NEWEST_PLACE;
  if (found.length > limit && last) return { rows, is_partial: false, next_cursor: formatPageCursor(project_id, last) };
  if (scope.is_keyed) return { rows, is_partial: false };
  const looked = statement(project_id, (bind) => ({
    within: within(bind),
    where: "true",
    window: scope.window,
    limit: 1,
  }));
  const [end, further] = await source.end(reader, looked.pieces, looked.values);
  if (!end || !further) return { rows, is_partial: false };
  return { rows, is_partial: true, looked_at: scope.window, next_cursor: formatPageCursor(project_id, end) };
}

type Named = { project_id: string; tree: QueryTree; named: string[] };

/** Hits that the query names by id come first, however old they are. */
async function exactRows<Row extends Hit>(reader: Reader, source: Source<Row>, asked: Named): Promise<Row[]> {
  const { pieces, values } = statement(asked.project_id, (bind) => ({
    within: `${source.id} = ANY (${bind(asked.named, "text[]")})`,
    where: conditionOf(asked.tree, source.sql, bind),
    window: LOOKED_AT_MAX,
    limit: asked.named.length,
  }));
  return source.rows(reader, pieces, values);
}
