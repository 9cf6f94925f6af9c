// What changed between two JSON values, by path: a reordered key is no change, and one changed field is not a changed object.
import { isRecord } from "../is-record";
import { sameJson } from "../same-json";
import type { PairChange, PathChange } from "./pair-change";

const CHANGES_MAX = 200;
/** Letters of one value as JSON. */
const VALUE_MAX = 2_000;
/** Deeper values are compared as a whole. */
const DEPTH_MAX = 32;

export function pathDiff(before: unknown, after: unknown): PairChange {
  const all: PathChange[] = [];
  compare({ all, path: "", depth: 0 }, before, after);
  const paths = all.slice(0, CHANGES_MAX).map(shortened);
  return { how: "paths", paths, ...(all.length > CHANGES_MAX && { left_out: all.length - CHANGES_MAX }) };
}

type Walk = { all: PathChange[]; path: string; depth: number };

function compare(walk: Walk, before: unknown, after: unknown): void {
  if (sameJson(before, after)) return;
  const step = (key: string | number): Walk => ({
    ...walk,
    path: `${walk.path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    depth: walk.depth + 1,
  });
  const isDeep = walk.depth >= DEPTH_MAX;
  if (!isDeep && isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(step(key), own(before, key), own(after, key));
    return;
  }
  if (!isDeep && Array.isArray(before) && Array.isArray(after)) {
    compareLists(step, before, after);
    return;
  }
  const { all, path } = walk;
  if (before === undefined) all.push({ kind: "added", path, after });
  else if (after === undefined) all.push({ kind: "removed", path, before });
  else all.push({ kind: "changed", path, before, after });
}

/** `toString` of a stored object is a key only if it has it. */
const own = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** The equal ends stay, so that an item put in at the front is one change; between them item by item. */
function compareLists(step: (key: number) => Walk, before: readonly unknown[], after: readonly unknown[]): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && sameJson(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && sameJson(before.at(-1 - end), after.at(-1 - end))) end++;
  const [left, right] = [before.length - end, after.length - end];
  for (let at = start; at < Math.max(left, right); at++)
    compare(step(at), at < left ? before[at] : undefined, at < right ? after[at] : undefined);
}

function shortened({ before, after, ...change }: PathChange): PathChange {
  return {
    ...change,
    ...(before !== undefined && { before: short(before) }),
    ...(after !== undefined && { after: short(after) }),
  };
}

/** A long value is sent as the beginning of its text. */
function short(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= VALUE_MAX) return value;
  return `${text.slice(0, VALUE_MAX)}… (${text.length - VALUE_MAX} letters more)`;
}
