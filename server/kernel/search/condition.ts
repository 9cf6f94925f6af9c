// A query tree as one SQL condition. Whatever a person typed is a bound value; only the names of fields choose SQL, from lists
// in the code.
import { type FieldName, fields } from "@/server/contract/search-query/fields";
import type { QueryLeaf, QueryTree } from "@/server/contract/search-query/query-tree";

/** Takes a value and gives its place in the statement, such as `$5::text`. */
export type Bind = (value: unknown, type: "text" | "text[]" | "float8" | "timestamptz") => string;

export const binderOf =
  (values: unknown[]): Bind =>
  (value, type) =>
    `$${values.push(value)}::${type}`;

/**
 * What a filter or `has:` asks of an expression; `ids` are its values, for fields that name rows. `isWhole`: none of them is
 * a prefix.
 */
export type Ask = { is: (expression: string) => string; ids: () => string; isWhole: boolean };
export type FieldSql = Partial<Record<FieldName, (ask: Ask) => string>>;

/** How one kind answers. */
export type KindSql = {
  fields: FieldSql;
  flags: Partial<Record<string, string>>;
  word: (leaf: Extract<QueryLeaf, { kind: "word" }>, bind: Bind) => string;
  phrase: (text: string, bind: Bind) => string;
};

export function conditionOf(tree: QueryTree, kind: KindSql, bind: Bind): string {
  if (tree === null) return "true";
  if (tree.kind === "and" || tree.kind === "or")
    return `(${tree.parts.map((part) => conditionOf(part, kind, bind)).join(tree.kind === "and" ? " AND " : " OR ")})`;
  // NOT of an unknown is unknown, and such a row was in neither the query nor its opposite.
  if (tree.kind === "not") return `((${conditionOf(tree.part, kind, bind)}) IS NOT TRUE)`;
  return leafCondition(tree, kind, bind);
}

function leafCondition(leaf: QueryLeaf, kind: KindSql, bind: Bind): string {
  if (leaf.kind === "word") return kind.word(leaf, bind);
  if (leaf.kind === "phrase") return kind.phrase(leaf.text, bind);
  if (leaf.kind === "is") return kind.flags[leaf.flag] ?? unanswered(`is:${leaf.flag}`);
  if (leaf.kind === "filter" && leaf.op === "!=")
    return `((${leafCondition({ ...leaf, op: "=" }, kind, bind)}) IS NOT TRUE)`;
  const answer = kind.fields[leaf.field] ?? unanswered(leaf.field);
  const values = leaf.kind === "filter" ? leaf.values.map(({ text }) => text) : [];
  const isWhole = leaf.kind === "filter" && !leaf.values.some(({ is_prefix }) => is_prefix);
  return `(${answer({ is: (expression) => isAsked(expression, leaf, bind), ids: () => bind(values, "text[]"), isWhole })})`;
}

/** queryFor has refused it before, so this is a mistake in the lists. */
function unanswered(name: string): never {
  throw new Error(`${name} has no SQL for this kind`);
}

function isAsked(x: string, leaf: Extract<QueryLeaf, { field: FieldName }>, bind: Bind): string {
  if (leaf.kind === "has") return `${x} IS NOT NULL`;
  if (leaf.kind === "range") return `${x} BETWEEN ${bind(leaf.lo.n, "float8")} AND ${bind(leaf.hi.n, "float8")}`;
  const { as } = fields[leaf.field];
  const any = (tests: string[]) => (tests.length === 1 ? `${tests[0]}` : `(${tests.join(" OR ")})`);
  if (as === "number" || as === "duration")
    return any(leaf.values.map(({ n }) => `${x} ${leaf.op} ${bind(n, "float8")}`));
  if (as === "time") {
    const op = leaf.field === "before" ? "<" : ">=";
    return any(leaf.values.map(({ n }) => `${x} ${op} ${bind(new Date(n ?? 0).toISOString(), "timestamptz")}`));
  }
  if (as === "id")
    return `${x} = ANY (${bind(
      leaf.values.map(({ text }) => text),
      "text[]",
    )})`;
  return any(
    leaf.values.map(({ text, is_prefix }) =>
      is_prefix
        ? `starts_with(lower(${x}), lower(${bind(text, "text")}))`
        : `lower(${x}) = lower(${bind(text, "text")})`,
    ),
  );
}
