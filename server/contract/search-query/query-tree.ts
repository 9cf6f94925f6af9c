// What a search query means, as a tree. `at` is where a term begins in the text it was read from (from 0), for messages.
import type { FieldName, Flag } from "./fields";

export type Comparison = "=" | "!=" | ">" | ">=" | "<" | "<=";

/**
 * `n`: the number, the milliseconds of a duration, or those since 1970 of a time; null where the field has names. `is_prefix`:
 * a name that ended in `*`.
 */
export type QueryValue = { text: string; is_prefix: boolean; n: number | null };

export type QueryLeaf =
  | { kind: "word"; at: number; text: string; is_prefix: boolean }
  | { kind: "phrase"; at: number; text: string }
  /** Several values: any of them, or with `!=` none. */
  | { kind: "filter"; at: number; field: FieldName; op: Comparison; values: QueryValue[] }
  /** Both ends are included. */
  | { kind: "range"; at: number; field: FieldName; lo: QueryValue; hi: QueryValue }
  | { kind: "has"; at: number; field: FieldName }
  | { kind: "is"; at: number; flag: Flag };

export type QueryNode =
  | QueryLeaf
  | { kind: "not"; part: QueryNode }
  | { kind: "and"; parts: QueryNode[] }
  | { kind: "or"; parts: QueryNode[] };

/** null = everything: an empty query. */
export type QueryTree = QueryNode | null;

/** A group inside a group of the same kind is the same as one group. */
export function joined(kind: "and" | "or", parts: readonly QueryNode[]): QueryNode {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [first] = flat;
  return first !== undefined && flat.length === 1 ? first : { kind, parts: flat };
}

/** From left to right. */
export function leavesOf(node: QueryTree): QueryLeaf[] {
  if (node === null) return [];
  if (node.kind === "not") return leavesOf(node.part);
  if (node.kind === "and" || node.kind === "or") return node.parts.flatMap(leavesOf);
  return [node];
}
