// Which entry of the old list each entry of the new one was: by id or name, else by value, else by place.
import { canonicalJson } from "../../canonical-json";
import { isRecord } from "../../is-record";

/** Per new entry: the place of the old one, or -1 = it is new. */
export function matchEntries(was: readonly unknown[], now: readonly unknown[]): number[] {
  const byKey = new Map<string, number[]>();
  for (const [i, entry] of was.entries()) byKey.set(keyOf(entry), [...(byKey.get(keyOf(entry)) ?? []), i]);
  const found = now.map((entry) => byKey.get(keyOf(entry))?.shift() ?? -1);
  const used = new Set(found);
  // What has no name may have been changed where it stands.
  return found.map((from, i) => {
    const isFree = from < 0 && i < was.length && !used.has(i);
    return isFree && nameOf(was[i]) === null && nameOf(now[i]) === null ? i : from;
  });
}

const nameOf = (entry: unknown): string | null =>
  isRecord(entry)
    ? typeof entry.id === "string"
      ? entry.id
      : typeof entry.name === "string"
        ? entry.name
        : null
    : null;

const keyOf = (entry: unknown): string => {
  const name = nameOf(entry);
  return name === null ? `v${canonicalJson(entry)}` : `n${name}`;
};
