// The words of a text or a path, for the search. Identifiers count as a whole and as their parts: readFile is found by "read file".
import { setImmediate } from "node:timers/promises";

export type Terms = { terms: string[]; counts: number[]; length: number };

const WORD = /[\p{L}\p{N}_$]+/gu;
const PART = /\p{Lu}+(?![\p{Ll}])|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
const TERM_LENGTH_MAX = 40;
/** Longer ones are encoded data, of which nobody looks for a part. */
const WORD_LENGTH_MAX = 1_000;
const DISTINCT_MAX = 20_000;
/** Some 10 ms. A text of 400 kB took 100 to 200 ms at once, and nobody was answered meanwhile. */
const TERMS_AT_ONCE = 5_000;

export function* termsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > WORD_LENGTH_MAX) continue;
    const parts = [...word.matchAll(PART)].map(([part]) => lower(part));
    const whole = lower(word);
    if (fits(whole)) yield whole;
    if (parts.length > 1) for (const part of parts) if (fits(part)) yield part;
  }
}

/** The words of the path count three times: a file is often looked for by its name. */
export async function countTerms(path: string, text: string): Promise<Terms> {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (term: string, times: number) => {
    const before = counts.get(term);
    if (before === undefined && counts.size >= DISTINCT_MAX) return;
    counts.set(term, (before ?? 0) + times);
    length += times;
  };
  for (const term of termsOf(path)) add(term, 3);
  let read = 0;
  for (const term of termsOf(text)) {
    add(term, 1);
    if (++read % TERMS_AT_ONCE === 0) await setImmediate();
  }
  return { terms: [...counts.keys()], counts: [...counts.values()], length };
}

/** Not by the locale of the machine. */
const lower = (text: string): string => text.toLowerCase();
const fits = (term: string): boolean => term.length > 1 && term.length <= TERM_LENGTH_MAX;
