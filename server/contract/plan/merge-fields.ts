// Three versions of one thing, field by field.
import { isRecord } from "../is-record";
import { sameJson } from "../same-json";

export type MergeConflict = {
  /** A node or fork.task. Empty = the plan itself. */
  node: string;
  /** Empty = the whole node: one side removed what the other changed or refers to. nodes, tasks = their order. */
  field: string;
  /** null = it is not there. */
  mine: unknown;
  theirs: unknown;
  base: unknown;
};

export type Decide = <T>(conflict: MergeConflict & { mine: T; theirs: T }) => T;

/** One value: what only one side changed is taken. */
export function three<T>(base: T, mine: T, theirs: T, ask: (conflict: { base: T; mine: T; theirs: T }) => T): T {
  if (sameJson(mine, theirs) || sameJson(base, theirs)) return mine;
  return sameJson(base, mine) ? theirs : ask({ base, mine, theirs });
}

/** A base of undefined: both sides added it. */
export function mergeFields(
  node: string,
  base: object | undefined,
  mine: object,
  theirs: object,
  decide: Decide,
): Record<string, unknown> {
  const [b, m, t] = [units(base ?? {}), units(mine), units(theirs)];
  const merged: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(m), ...Object.keys(t)])) {
    const value = three(b[field], m[field], t[field], (conflict) => decide({ node, field, ...conflict }));
    if (field === PACKING && isRecord(value)) Object.assign(merged, value);
    else if (value !== undefined) merged[field] = value;
  }
  return merged;
}

const PACKING = "recipe";

/** A recipe and a hand-over exclude each other, so they change as one. */
function units(given: object): Record<string, unknown> {
  const { recipe, handover, ...fields } = given as Record<string, unknown>;
  const packing = { ...(recipe !== undefined && { recipe }), ...(handover !== undefined && { handover }) };
  return Object.keys(packing).length === 0 ? fields : { ...fields, [PACKING]: packing };
}
