// Adds a filter to the text of a query, or takes it away: facets edit the query that a person sees, and leave the rest as it is.
import type { QueryFault } from "./fault";
import { type FieldName, fields } from "./fields";
import { parseQuery } from "./parse-query";
import { printLeaf, printQuery } from "./print-query";
import { joined, type QueryLeaf, type QueryNode, type QueryTree } from "./query-tree";

export type FilterEdit = {
  query: string;
  /** A value of the field, as it is, without `*`; or the whole filter as text, such as `tokens:>1k`. */
  filter: { field: FieldName; value: string } | { text: string };
  now: Date;
};
export type EditedQuery = { isRead: true; query: string } | { isRead: false; fault: QueryFault };

/** Does nothing if the filter is there already. A second value of the same field is added to the first: `type:a,b`. */
export function addFilter(edit: FilterEdit): EditedQuery {
  return change(edit, (parts, leaf) => {
    if (parts.some((part) => isSame(part, leaf) || listed(part, leaf))) return parts;
    const beside = parts.findIndex((part) => isList(part) && isList(leaf) && part.field === leaf.field);
    const other = parts[beside];
    if (other === undefined || !isList(other) || !isList(leaf)) return [...parts, leaf];
    return parts.with(beside, { ...other, values: [...other.values, ...leaf.values] });
  });
}

/** Does nothing if the filter is not there. */
export function removeFilter(edit: FilterEdit): EditedQuery {
  return change(edit, (parts, leaf) =>
    parts.flatMap((part) => {
      if (isSame(part, leaf)) return [];
      if (!listed(part, leaf) || !isList(part) || !isList(leaf)) return [part];
      return [{ ...part, values: part.values.filter(({ text }) => text !== leaf.values[0]?.text) }];
    }),
  );
}

function change(edit: FilterEdit, edited: (parts: QueryNode[], leaf: QueryLeaf) => QueryNode[]): EditedQuery {
  const parsed = parseQuery(edit.query, edit);
  if (!parsed.isRead) return parsed;
  const given = parseQuery(textOf(edit.filter), edit);
  if (!given.isRead) return given;
  const { tree: leaf } = given;
  if (leaf === null || leaf.kind === "and" || leaf.kind === "or" || leaf.kind === "not")
    return { isRead: false, fault: { column: 1, message: "a filter is one term; give one" } };
  const parts = edited(partsOf(parsed.tree), leaf);
  return { isRead: true, query: parts.length === 0 ? "" : printQuery(joined("and", parts)) };
}

const partsOf = (tree: QueryTree): QueryNode[] => (tree === null ? [] : tree.kind === "and" ? tree.parts : [tree]);

function textOf(filter: FilterEdit["filter"]): string {
  if ("text" in filter) return filter.text;
  const value = { text: filter.value, is_prefix: false, n: null };
  return printLeaf({ kind: "filter", at: 0, field: filter.field, op: "=", values: [value] });
}

const isSame = (a: QueryNode, b: QueryLeaf): boolean => printQuery(a) === printQuery(b);

/** One or several values, any of which will do. */
const isList = (node: QueryNode): node is Extract<QueryLeaf, { kind: "filter" }> =>
  node.kind === "filter" && node.op === "=" && fields[node.field].as !== "time";

const listed = (node: QueryNode, leaf: QueryLeaf): boolean =>
  isList(node) &&
  isList(leaf) &&
  node.field === leaf.field &&
  leaf.values.length === 1 &&
  node.values.some(({ text, is_prefix }) => text === leaf.values[0]?.text && is_prefix === leaf.values[0]?.is_prefix);
