// How one list of entries becomes another: entries have no ids, so equal ones are told apart by their count.
import { canonicalJson } from "../canonical-json";
import { orderSteps } from "./order-steps";

export type EntryStep<T> =
  | { what: "remove"; entry: T; index: number }
  | { what: "add"; entry: T; at: number }
  /** It is taken out before `at` is counted. */
  | { what: "move"; entry: T; index: number; at: number };

export function entrySteps<T>(now: readonly T[], want: readonly T[]): EntryStep<T>[] {
  const [have, goal] = [keysOf(now), keysOf(want)];
  const entries = new Map([...pairs(have, now), ...pairs(goal, want)]);
  const wanted = new Set(goal);
  const steps: EntryStep<T>[] = [];
  const list = [...have];
  for (const [i, key] of have.entries()) {
    const entry = now[i];
    if (wanted.has(key) || entry === undefined) continue;
    steps.push({ what: "remove", entry, index: list.indexOf(key) });
    list.splice(list.indexOf(key), 1);
  }
  for (const { id, at, is_new } of orderSteps(list, goal)) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    const index = list.indexOf(id);
    if (!is_new) list.splice(index, 1);
    list.splice(at, 0, id);
    steps.push(is_new ? { what: "add", entry, at } : { what: "move", entry, index, at });
  }
  return steps;
}

const pairs = <T>(keys: string[], list: readonly T[]) => list.map((entry, i) => [keys[i] ?? "", entry] as const);

function keysOf(list: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return list.map((entry) => {
    const text = canonicalJson(entry);
    const n = (seen.get(text) ?? 0) + 1;
    seen.set(text, n);
    return `${n} ${text}`;
  });
}
