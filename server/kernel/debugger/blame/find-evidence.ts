// How one card carries the selected words, if it does: as they are, as a value, part by part, or nearly. Pure.

import { findShingles, type ShingleHits } from "./find-shingles";
import { type Folding, foldText, type Range, unfoldRange } from "./fold";
import { mayCarry } from "./may-carry";
import { LETTERS_MIN, type Needle, type Stretch } from "./needle";
import { numbersIn } from "./numbers";

export type Evidence = {
  kind: "exact" | "value" | "parts" | "near";
  /** Share of the selected words, from 0 to 1. */
  coverage: number;
  /** Where in the card's text, in order. */
  ranges: Range[];
  /** Which parts of the needle it carries, and how far. */
  parts?: ReadonlyMap<number, number>;
};
/** The text of a card that may carry them. */
export type Hay = Folding & { text: string };

const CONTAINMENT_MIN = 0.5;
// Two words in three may be "of the": short texts need three shingles in common, or all they have.
const SHINGLES_MIN = 3;

/** Undefined if there is none. `parts` of less than half are evidence only beside other cards that carry the rest. */
export function findEvidence(needle: Needle, hay: Hay): Evidence | undefined {
  const folded = foldText(hay.text, hay);
  const within = (range: Range): Range => unfoldRange(hay.text, range, hay);
  const exact = exactIn(needle, folded);
  if (exact) return { kind: "exact", coverage: 1, ranges: [within(exact)] };
  const value = valueIn(needle, folded, hay);
  if (value) return { kind: "value", coverage: 1, ranges: [within(value)] };
  if (needle.folded.length < LETTERS_MIN) return undefined;
  const hits: ShingleHits = mayCarry(folded, needle.probe) ? findShingles(folded, needle) : new Map();
  const near = nearIn(needle, hits);
  const parts = partsIn(needle, folded, hits);
  if (parts && parts.coverage > (near?.coverage ?? 0))
    return { kind: "parts", coverage: parts.coverage, ranges: joined(parts.ranges.map(within)), parts: parts.found };
  return near && { kind: "near", coverage: near.coverage, ranges: [within(near.range)] };
}

function exactIn({ folded: words }: Pick<Stretch, "folded">, folded: string): Range | undefined {
  if (words.length < LETTERS_MIN) return undefined;
  const at = folded.indexOf(words);
  return at < 0 ? undefined : { start: at, end: at + words.length };
}

function valueIn({ number, scalar }: Needle, folded: string, { isJson }: Folding): Range | undefined {
  if (number !== undefined) for (const found of numbersIn(folded)) if (found.number === number) return found;
  if (scalar === undefined || !isJson) return undefined;
  // With a colon after it, it is the name of a field.
  for (let at = folded.indexOf(`"${scalar}"`); at >= 0; at = folded.indexOf(`"${scalar}"`, at + 1))
    if (!/^\s?:/.test(folded.slice(at + scalar.length + 2, at + scalar.length + 4)))
      return { start: at + 1, end: at + 1 + scalar.length };
  return undefined;
}

function nearIn({ shingles, size }: Stretch, hits: ShingleHits): { coverage: number; range: Range } | undefined {
  const all = hits.get(size) ?? [];
  const mine = all.filter(({ key }) => shingles.has(key));
  const found = new Set(mine.map(({ key }) => key)).size;
  const coverage = shingles.size === 0 ? 0 : found / shingles.size;
  if (coverage < CONTAINMENT_MIN || found < Math.min(SHINGLES_MIN, shingles.size)) return undefined;
  return { coverage, range: densest(mine, 2 * (shingles.size + size)) };
}

type Place = { key: string; at: number; start: number; end: number };

/** The stretch of at most `width` words with the most different shingles: the same words are often scattered elsewhere, too. */
function densest(places: readonly Place[], width: number): Range {
  const counts = new Map<string, number>();
  let best = { count: 0, start: 0, end: 0 };
  let from = 0;
  for (const place of places) {
    counts.set(place.key, (counts.get(place.key) ?? 0) + 1);
    for (let first = places[from]; first && place.at - first.at > width; first = places[++from]) {
      const left = (counts.get(first.key) ?? 1) - 1;
      if (left === 0) counts.delete(first.key);
      else counts.set(first.key, left);
    }
    if (counts.size > best.count)
      best = { count: counts.size, start: places[from]?.start ?? place.start, end: place.end };
  }
  return { start: best.start, end: best.end };
}

function partsIn({ parts }: Needle, folded: string, hits: ShingleHits) {
  const found = new Map<number, number>();
  const ranges: Range[] = [];
  let coverage = 0;
  for (const [i, part] of parts.entries()) {
    const exact = exactIn(part, folded);
    const near = exact ? { coverage: 1, range: exact } : nearIn(part, hits);
    if (!near) continue;
    found.set(i, near.coverage);
    coverage += part.weight * near.coverage;
    ranges.push(near.range);
  }
  return found.size === 0 ? undefined : { found, ranges, coverage: Math.min(1, coverage) };
}

/** In order, with what overlaps or touches as one. */
function joined(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && start <= last.end + 1) last.end = Math.max(last.end, end);
    else out.push({ start, end });
  }
  return out;
}
