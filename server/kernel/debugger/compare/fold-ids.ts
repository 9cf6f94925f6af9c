// Takes ids out of a text that were made since the runs that are compared began: two runs of the same work differ in all of them. Ids
// that are older stay, because both runs could have named the same thing. The names of context packs are taken out too: they are hashes
// of what holds such ids. Pure.

/** As new-id.ts makes them: a prefix or an agent's profile, and the 32 digits of a uuid v7, which begin with the time. */
const MADE = /\b(?:[A-Za-z0-9-]+_)*([0-9a-f]{12})7[0-9a-f]{3}[89ab][0-9a-f]{15}\b/g;

/** `since_ms`: milliseconds since 1970. `names`: of packs that one of the two was handed, and the other was not. */
export function foldIds(text: string, since_ms: number, names: RegExp | null = null): string {
  const unnamed = names === null ? text : text.replaceAll(names, "#");
  return unnamed.replaceAll(MADE, (whole, time: string) => (Number.parseInt(time, 16) >= since_ms ? "#" : whole));
}

/** Each as a whole word, the longest first: an address has the id of its pack in it. null = none. */
export function namesOf(names: readonly string[]): RegExp | null {
  const known = [...new Set(names)].sort((one, other) => other.length - one.length);
  if (known.length === 0) return null;
  const any = known.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\w-])(?:${any})(?![\\w-])`, "g");
}
