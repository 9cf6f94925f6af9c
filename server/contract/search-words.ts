// Finds the words of a card search in a text: the server cuts an excerpt there, the browser marks them. The database decides
// what matches; this only shows it, by the same rules: whole words, "a phrase", -not, or.

export type WordRange = { from: number; to: number };

/** Letters of an excerpt, and how many may come before the hit. */
const EXCERPT_LETTERS_MAX = 240;
const BEFORE_LETTERS_MAX = 32;

/** The hits from left to right, without overlap. Empty if the words are not in the text: only in a key, or in part. */
export function hitRanges(text: string, query: string): WordRange[] {
  const words = wantedWords(query);
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(pattern)].map(({ index, 0: hit }) => ({ from: index, to: index + hit.length }));
}

/** One line around the first hit, with a mark where it was cut; null without a hit. */
export function excerptOf(text: string, query: string): string | null {
  const [first] = hitRanges(text, query);
  if (first === undefined) return null;
  const start = wordStart(text, Math.max(0, first.from - BEFORE_LETTERS_MAX), first.from);
  const end = start + EXCERPT_LETTERS_MAX;
  const line = text
    .slice(start, end)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\uD800-\uDBFF]$/u, "");
  return `${start > 0 ? "…" : ""}${line}${end < text.length ? "…" : ""}`;
}

/** The first whole word from `at` on, but never past the hit. */
function wordStart(text: string, at: number, hit: number): number {
  if (at === 0) return 0;
  const blank = text.slice(at, hit).search(/\s/u);
  return blank < 0 ? hit : at + blank + 1;
}

/** As patterns. As in the database, punctuation and spaces may break up a phrase. */
function wantedWords(query: string): string[] {
  const patterns: string[] = [];
  for (const [, minus, phrase, word] of query.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/gu)) {
    if (minus === "-" || word?.toLowerCase() === "or") continue;
    const parts = (phrase ?? word ?? "").match(/[\p{L}\p{N}]+/gu);
    if (parts !== null) patterns.push(parts.join("[^\\p{L}\\p{N}]+"));
  }
  return patterns.sort((a, b) => b.length - a.length);
}
