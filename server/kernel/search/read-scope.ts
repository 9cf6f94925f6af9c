// Which rows a query looks at: those that an index gives for one of its terms, else the newest ones. A limited number, always.
import { joined, type QueryNode, type QueryTree } from "@/server/contract/search-query/query-tree";
import type { Place } from "../cardbox/page-cursor";
import type { Reader } from "../reader";
import { type Bind, conditionOf, type KindSql } from "./condition";
import { type KeyField, keyFields, readKeys, readWordKeys } from "./read-keys";
import type { Hit, Source } from "./source";
import { neededTerms, partsOf, wordsLikeIds } from "./words";

/** Rows that one statement looks at, newest first: cards, and what one run or batch has, as much as the yard draws. */
export const LOOKED_AT_MAX = 10_000;
/** Of all other kinds in a whole project. Ten thousand turns took thirty times as long as the palette, which looks at a thousand. */
const THINGS_MAX = 2_000;
/** Where every row is looked up in all boxes that hold it, or its whole content is read. */
const COSTLY_MAX = 1_000;
/** Where every row's own boxes are looked through. */
const ONE_BY_ONE_MAX = 2_000;

/** `is_keyed`: an index has named all rows that can be hits. `rest`: what is still to be asked of them. */
export type Scope = {
  is_keyed: boolean;
  window: number;
  rest: QueryTree;
  sql: KindSql;
  within: (bind: Bind, after: Place | null) => string;
};

export async function readScope(
  reader: Reader,
  source: Source<Hit>,
  { project_id, tree }: { project_id: string; tree: QueryTree },
): Promise<Scope> {
  const { keys, rest, field } = await keysOf(reader, source, { project_id, tree });
  const isMany = keys === null && (field === "saw" || field === "held");
  return {
    is_keyed: keys !== null,
    window: keys === null ? windowOf(source, tree, isMany) : Math.max(keys.length, 1),
    rest,
    sql: (isMany ? source.oneByOne : undefined) ?? source.sql,
    // Not the bound list itself: of thousands, Postgres walked the whole index by age and looked each of its cards up in the list.
    within: (bind, after) =>
      [
        ...(keys === null ? [] : [`${source.id} = ANY (ARRAY(SELECT k FROM unnest(${bind(keys, "text[]")}) k))`]),
        ...(after ? [olderThan(source, after, bind)] : []),
        ...(source.listed ? [source.listed(tree, bind)] : []),
        ...indexedOf(source, tree).map((part) => conditionOf(part, source.sql, bind)),
      ].join(" AND ") || "true",
  };
}

function windowOf(source: Source<Hit>, tree: QueryTree, isMany: boolean): number {
  if (isCostly(tree, source.kind)) return COSTLY_MAX;
  if (isMany) return ONE_BY_ONE_MAX;
  const isOfOne = indexedOf(source, tree).some(
    (part) => part.kind === "filter" && (part.field === "run" || part.field === "batch"),
  );
  return source.kind === "card" || isOfOne ? LOOKED_AT_MAX : THINGS_MAX;
}

const olderThan = ({ id, time }: Source<Hit>, { at, id: last }: Place, bind: Bind): string =>
  `(${time}, ${id}) < (${bind(at, "timestamptz")}, ${bind(last, "text")})`;

/** What an index answers that is also in the order of age: the rows that are looked at are only these. */
const indexedOf = ({ kind }: Source<Hit>, tree: QueryTree): QueryNode[] =>
  partsOf(tree).filter((part) => {
    if (part.kind !== "filter") return false;
    if (part.field === "before" || part.field === "after") return true;
    return kind === "turn" && part.op === "=" && (part.field === "run" || part.field === "batch" || isWholeCode(part));
  });

const isWholeCode = (part: Extract<QueryNode, { kind: "filter" }>): boolean =>
  part.field === "headcode" && !part.values.some(({ is_prefix }) => is_prefix);

type Asked = { project_id: string; tree: QueryTree };

/** null = no term of the query has an index, or it leaves too many. `field`: of the term that has one. */
type Found = { keys: string[] | null; rest: QueryTree; field?: KeyField };

async function keysOf(reader: Reader, { kind }: Source<Hit>, { project_id, tree }: Asked): Promise<Found> {
  if (kind !== "card" && kind !== "turn") return { keys: null, rest: tree };
  const found = keyTermOf(kind, tree);
  const keys = found === null ? null : await readKeys(reader, { project_id, ...found });
  if (found !== null && keys !== null) {
    const others = partsOf(tree).filter((part) => part !== found.part);
    return { keys, rest: others.length === 0 ? null : joined("and", others) };
  }
  const terms = kind === "card" ? neededTerms(tree) : null;
  if (terms === null) return { keys: null, rest: tree, ...(found && { field: found.field }) };
  return { keys: await readWordKeys(reader, { project_id, terms, ids: wordsLikeIds(tree) }), rest: tree };
}

type KeyTerm = { part: QueryNode; field: KeyField; ids: string[] };

/** The term that leaves the fewest rows, as a rule. */
function keyTermOf(kind: "card" | "turn", tree: QueryTree): KeyTerm | null {
  for (const field of keyFields[kind])
    for (const part of partsOf(tree))
      if (
        part.kind === "filter" &&
        part.field === field &&
        part.op === "=" &&
        !part.values.some((one) => one.is_prefix)
      )
        return { part, field, ids: part.values.map(({ text }) => text) };
  return null;
}

/** A word that Postgres takes apart is looked for in the content of cards; other kinds have their names. */
function isCostly(tree: QueryTree, kind: Source<Hit>["kind"]): boolean {
  if (tree === null) return false;
  if (tree.kind === "not") return isCostly(tree.part, kind);
  if (tree.kind === "and" || tree.kind === "or") return tree.parts.some((part) => isCostly(part, kind));
  if (tree.kind === "is") return tree.flag === "slow";
  if (tree.kind === "word") return kind === "card" && /[^\p{L}\p{N}]/u.test(tree.text);
  return tree.kind === "phrase" || (tree.kind === "filter" && tree.field === "origin");
}
