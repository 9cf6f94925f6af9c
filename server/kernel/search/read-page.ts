// One page of hits of one kind, newest first. A statement looks at a limited number of rows: at those that an index gives for
// one term of the query, else at the newest ones. What was not looked at is said, and the cursor goes on there.
import type { QueryKind } from "@/server/contract/search-query/fields";
import type { QueryNode, QueryTree } from "@/server/contract/search-query/query-tree";
import { formatPageCursor, type Place, parsePageCursor } from "../cardbox/page-cursor";
import type { Reader } from "../reader";
import { type Bind, binderOf, conditionOf, type KindSql } from "./condition";
import { type KeyField, keyFields, readKeys, readWordKeys } from "./read-keys";
import { neededTerms, partsOf, wordsLikeIds } from "./words";

/** Rows that one statement looks at, newest first. */
export const LOOKED_AT_MAX = 10_000;
/** Where every row is looked up in all boxes that hold it, or its whole content is read. */
const COSTLY_MAX = 1_000;

/** Parts of a statement. `within` and `where` are conditions; values are bound after $1, the project. */
export type Pieces = { within: string; where: string; window: number; limit: number };
export type Hit = { id: string; at: string };
/** One statement each: the rows of a page, and where the rows that were looked at end. */
export type Source<Row extends Hit> = {
  kind: QueryKind;
  sql: KindSql;
  id: string;
  time: string;
  /** The project and what is bound are the values. */
  rows: (reader: Reader, pieces: Pieces, values: unknown[]) => Promise<Row[]>;
  end: (reader: Reader, pieces: Pieces, values: unknown[]) => Promise<Hit[]>;
};
export type PageInput = { project_id: string; tree: QueryTree; limit: number; cursor?: string };
export type HitPage<Row> = { rows: Row[]; next_cursor?: string; is_partial: boolean; looked_at?: number };

export async function readPage<Row extends Hit>(
  reader: Reader,
  source: Source<Row>,
  input: PageInput,
): Promise<HitPage<Row>> {
  const { project_id, tree, limit } = input;
  const after = parsePageCursor(project_id, input.cursor);
  const named = wordsLikeIds(tree);
  const [keys, exact] = await Promise.all([
    keysOf(reader, source, { project_id, tree, named }),
    after === null ? exactRows(reader, source, { project_id, tree, named }) : [],
  ]);
  const window = keys === null ? windowOf(tree) : LOOKED_AT_MAX;
  const within = (bind: Bind) =>
    [
      ...(keys === null ? [] : [`${source.id} = ANY (${bind(keys, "text[]")})`]),
      ...(named.length === 0 ? [] : [`${source.id} <> ALL (${bind(named, "text[]")})`]),
      ...(after ? [olderThan(source, after, bind)] : []),
      ...timesOf(tree).map((part) => conditionOf(part, source.sql, bind)),
    ].join(" AND ") || "true";
  const page = statement(project_id, (bind) => ({
    within: within(bind),
    where: conditionOf(tree, source.sql, bind),
    window,
    limit: limit + 1,
  }));
  const found = [...exact, ...(await source.rows(reader, page.pieces, page.values))];
  const rows = found.slice(0, limit);
  const last = rows.length > exact.length ? rows.at(-1) : NEWEST;
  if (found.length > limit && last) return { rows, is_partial: false, next_cursor: formatPageCursor(project_id, last) };
  if (keys !== null) return { rows, is_partial: false };
  const looked = statement(project_id, (bind) => ({ within: within(bind), where: "true", window, limit: 1 }));
  const [end] = await source.end(reader, looked.pieces, looked.values);
  if (!end) return { rows, is_partial: false };
  return { rows, is_partial: true, looked_at: window, next_cursor: formatPageCursor(project_id, end) };
}

/** Before all rows: the page was full of hits that were named. */
const NEWEST: Place = { at: "9999-12-31T23:59:59.999999Z", id: "-" };

/** The conditions are written in the order of the values. */
export function statement(project_id: string, write: (bind: Bind) => Pieces): { pieces: Pieces; values: unknown[] } {
  const values: unknown[] = [project_id];
  return { pieces: write(binderOf(values)), values };
}

const olderThan = ({ id, time }: Source<Hit>, { at, id: last }: Place, bind: Bind): string =>
  `(${time}, ${id}) < (${bind(at, "timestamptz")}, ${bind(last, "text")})`;

/** What an index of its age answers. */
const timesOf = (tree: QueryTree): QueryNode[] =>
  partsOf(tree).filter((part) => part.kind === "filter" && (part.field === "before" || part.field === "after"));

type Asked = { project_id: string; tree: QueryTree; named: string[] };

/** null = no term of the query has an index, or it leaves too many. */
async function keysOf(reader: Reader, source: Source<Hit>, asked: Asked): Promise<string[] | null> {
  const { project_id, tree } = asked;
  if (source.kind !== "card" && source.kind !== "turn") return null;
  const term = keyTermOf(source.kind, tree);
  const keys = term === null ? null : await readKeys(reader, { project_id, kind: source.kind, ...term });
  if (keys !== null) return keys;
  const terms = source.kind === "card" ? neededTerms(tree) : null;
  return terms === null ? null : readWordKeys(reader, { project_id, terms, ids: asked.named });
}

/** The one that leaves the fewest rows, as a rule. */
function keyTermOf(kind: "card" | "turn", tree: QueryTree): { field: KeyField; ids: string[] } | null {
  for (const field of keyFields[kind])
    for (const part of partsOf(tree))
      if (
        part.kind === "filter" &&
        part.field === field &&
        part.op === "=" &&
        !part.values.some((one) => one.is_prefix)
      )
        return { field, ids: part.values.map(({ text }) => text) };
  return null;
}

/** Hits that the query names by id come first, however old they are. */
async function exactRows<Row extends Hit>(reader: Reader, source: Source<Row>, asked: Asked): Promise<Row[]> {
  if (asked.named.length === 0) return [];
  const { pieces, values } = statement(asked.project_id, (bind) => ({
    within: `${source.id} = ANY (${bind(asked.named, "text[]")})`,
    where: conditionOf(asked.tree, source.sql, bind),
    window: LOOKED_AT_MAX,
    limit: asked.named.length,
  }));
  return source.rows(reader, pieces, values);
}

const windowOf = (tree: QueryTree): number => (isCostly(tree) ? COSTLY_MAX : LOOKED_AT_MAX);

function isCostly(tree: QueryTree): boolean {
  if (tree === null) return false;
  if (tree.kind === "not") return isCostly(tree.part);
  if (tree.kind === "and" || tree.kind === "or") return tree.parts.some(isCostly);
  return tree.kind === "phrase" || (tree.kind === "filter" && tree.field === "origin");
}
