// Pairs removed cards with added ones of the same type and author that have at least half of their words in order in common.
import type { CardPair, DiffCard } from "./match-cards";
import { type Shingles, shareOf, shinglesOf } from "./shingles";

const ALIKE_MIN = 0.5;
/** Up to so many pairs of one type and author are compared in full. Above, those whose sketches have most in common. */
const PAIRS_MAX = 40_000;
const SKETCH = 32;
const CANDIDATES_MAX = 8;

export type Leftover = { at: number; card: DiffCard; text: string };
type Sketched = { at: number; shingles: Shingles };

/** Best pairs first; of equally good ones those that stand nearest to each other. */
export function pairAlike(a: readonly Leftover[], b: readonly Leftover[]): CardPair[] {
  const groupsA = groupsOf(a);
  const candidates: CardPair[] = [];
  for (const [key, theirs] of groupsOf(b)) {
    const mine = groupsA.get(key);
    if (!mine) continue;
    const [left, right] = [mine.map(sketched), theirs.map(sketched)];
    for (const [one, other] of likely(left, right)) {
      const alike = shareOf(one.shingles, other.shingles);
      if (alike >= ALIKE_MIN) candidates.push({ a: one.at, b: other.at, by: "alike", alike });
    }
  }
  candidates.sort(byShare);
  const [takenA, takenB] = [new Set<number>(), new Set<number>()];
  return candidates.filter((pair) => {
    if (takenA.has(pair.a) || takenB.has(pair.b)) return false;
    takenA.add(pair.a);
    takenB.add(pair.b);
    return true;
  });
}

/** The same from both sides, so that a against b finds as many pairs as b against a. */
const byShare = (x: CardPair, y: CardPair): number =>
  (y.alike ?? 0) - (x.alike ?? 0) || Math.abs(x.a - x.b) - Math.abs(y.a - y.b) || x.a + x.b - (y.a + y.b);

const sketched = ({ at, text }: Leftover): Sketched => ({ at, shingles: shinglesOf(text) });

function groupsOf(cards: readonly Leftover[]): Map<string, Leftover[]> {
  const groups = new Map<string, Leftover[]>();
  for (const one of cards) {
    const key = JSON.stringify([one.card.type, one.card.author_id]);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

function likely(left: readonly Sketched[], right: readonly Sketched[]): [Sketched, Sketched][] {
  if (left.length * right.length <= PAIRS_MAX)
    return left.flatMap((one) => right.map((other): [Sketched, Sketched] => [one, other]));
  return (["short", "long"] as const).flatMap((size) => {
    const [a, b] = sketchesOf(size, left, right);
    const pairs = new Map<string, [Sketched, Sketched]>();
    for (const [one, other] of mates(a, b)) pairs.set(`${one.at} ${other.at}`, [one, other]);
    for (const [other, one] of mates(b, a)) pairs.set(`${one.at} ${other.at}`, [one, other]);
    return [...pairs.values()];
  });
}

type Sketch = { of: Sketched; runs: number[] };

/** The rarest runs of each text: a heading that all have says nothing, and made four million pairs of two thousand cards. */
function sketchesOf(
  size: "short" | "long",
  left: readonly Sketched[],
  right: readonly Sketched[],
): [Sketch[], Sketch[]] {
  const counts = new Map<number, number>();
  for (const { shingles } of [...left, ...right])
    for (const run of shingles[size] ?? []) counts.set(run, (counts.get(run) ?? 0) + 1);
  // Numbers sort several times faster than a comparison of two look-ups: the count is laid in front of the run.
  const sketch = (of: Sketched): Sketch => {
    const keys = Float64Array.from(of.shingles[size] ?? [], (run) => (counts.get(run) ?? 0) * 2 ** 32 + run).sort();
    return { of, runs: Array.from(keys.subarray(0, SKETCH), (key) => key % 2 ** 32) };
  };
  return [left.map(sketch), right.map(sketch)];
}

/** For each of `others` those of `ones` that share most of its sketch, the nearest of equal ones. */
function mates(ones: readonly Sketch[], others: readonly Sketch[]): [Sketched, Sketched][] {
  const places = new Map<number, Sketched[]>();
  for (const { of, runs } of ones)
    for (const run of runs) {
      const known = places.get(run);
      if (known) known.push(of);
      else places.set(run, [of]);
    }
  return others.flatMap(({ of, runs }) => {
    const common = new Map<Sketched, number>();
    for (const run of runs)
      for (const one of nearest(places.get(run) ?? [], of.at)) common.set(one, (common.get(one) ?? 0) + 1);
    const apart = (one: Sketched) => Math.abs(one.at - of.at);
    return [...common]
      .sort(([one, n], [other, m]) => m - n || apart(one) - apart(other))
      .slice(0, CANDIDATES_MAX)
      .map(([one]): [Sketched, Sketched] => [one, of]);
  });
}

/** Of a list in the order of positions, those around `at`. */
function nearest(list: readonly Sketched[], at: number): readonly Sketched[] {
  if (list.length <= 2 * CANDIDATES_MAX) return list;
  let [lo, hi] = [0, list.length];
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((list[mid]?.at ?? 0) < at) lo = mid + 1;
    else hi = mid;
  }
  const from = Math.min(Math.max(0, lo - CANDIDATES_MAX), list.length - 2 * CANDIDATES_MAX);
  return list.slice(from, from + 2 * CANDIDATES_MAX);
}
