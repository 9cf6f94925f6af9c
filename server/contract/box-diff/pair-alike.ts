// Pairs removed cards with added ones of the same type and author that have at least half of their words in order in common.
import type { CardPair, DiffCard } from "./match-cards";
import { type Shingles, shareOf, shinglesOf } from "./shingles";

const ALIKE_MIN = 0.5;
/** Up to so many pairs of one type and author are compared in full. Above, those whose sketches have most in common. */
const PAIRS_MAX = 40_000;
const SKETCH = 32;
const CANDIDATES_MAX = 8;
const COUNTS = 2 ** 20;
const COUNT_MAX = 65_535;

export type Leftover = { at: number; card: DiffCard; text: string };
type Sketched = { at: number; shingles: Shingles };

/** All at once. */
export function pairAlike(a: readonly Leftover[], b: readonly Leftover[]): CardPair[] {
  const steps = pairInSteps(a, b);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * Best pairs first; of equally good ones those that stand nearest to each other. Two thousand long texts take half a second: it
 * stops after each, so that a server can do other work between them.
 */
export function* pairInSteps(
  a: readonly Leftover[],
  b: readonly Leftover[],
): Generator<undefined, CardPair[], undefined> {
  const groupsA = groupsOf(a);
  const candidates: CardPair[] = [];
  for (const [key, theirs] of groupsOf(b)) {
    const mine = groupsA.get(key);
    if (!mine) continue;
    const [left, right] = [yield* sketchedAll(mine), yield* sketchedAll(theirs)];
    for (const [one, other] of yield* likely(left, right)) {
      const alike = shareOf(one.shingles, other.shingles);
      if (alike >= ALIKE_MIN) candidates.push({ a: one.at, b: other.at, by: "alike", alike });
      yield;
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

type Steps<T> = Generator<undefined, T, undefined>;

/** The same from both sides, so that a against b finds as many pairs as b against a. */
const byShare = (x: CardPair, y: CardPair): number =>
  (y.alike ?? 0) - (x.alike ?? 0) || Math.abs(x.a - x.b) - Math.abs(y.a - y.b) || x.a + x.b - (y.a + y.b);

function* sketchedAll(cards: readonly Leftover[]): Steps<Sketched[]> {
  const all: Sketched[] = [];
  for (const { at, text } of cards) {
    all.push({ at, shingles: shinglesOf(text) });
    yield;
  }
  return all;
}

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

function* likely(left: readonly Sketched[], right: readonly Sketched[]): Steps<[Sketched, Sketched][]> {
  if (left.length * right.length <= PAIRS_MAX)
    return left.flatMap((one) => right.map((other): [Sketched, Sketched] => [one, other]));
  const pairs = new Map<string, [Sketched, Sketched]>();
  for (const size of ["short", "long"] as const) {
    const [a, b] = yield* sketchesOf(size, left, right);
    for (const [one, other] of yield* mates(a, b)) pairs.set(`${one.at} ${other.at}`, [one, other]);
    for (const [other, one] of yield* mates(b, a)) pairs.set(`${one.at} ${other.at}`, [one, other]);
  }
  return [...pairs.values()];
}

type Sketch = { of: Sketched; runs: number[] };

/** The rarest runs of each text: a heading that all have says nothing, and made four million pairs of two thousand cards. */
function* sketchesOf(
  size: "short" | "long",
  left: readonly Sketched[],
  right: readonly Sketched[],
): Steps<[Sketch[], Sketch[]]> {
  // By the lower bits of a run: a map of all of them took most of the time, and a rare run that counts as common is one of many.
  const counts = new Uint16Array(COUNTS);
  const place = (run: number): number => run & (COUNTS - 1);
  for (const { shingles } of [...left, ...right]) {
    shingles[size]?.forEach((run) => {
      const at = place(run);
      counts[at] = Math.min((counts[at] ?? 0) + 1, COUNT_MAX);
    });
    yield;
  }
  // Numbers sort several times faster than a comparison of two look-ups: the count is laid in front of the run.
  const sketch = (of: Sketched): Sketch => {
    const runs = of.shingles[size] ?? new Uint32Array();
    const keys = new Float64Array(runs.length);
    runs.forEach((run, at) => {
      keys[at] = (counts[place(run)] ?? 0) * 2 ** 32 + run;
    });
    return { of, runs: Array.from(keys.sort().subarray(0, SKETCH), (key) => key % 2 ** 32) };
  };
  const sketches: [Sketch[], Sketch[]] = [[], []];
  for (const [side, all] of [left, right].entries())
    for (const one of all) {
      sketches[side]?.push(sketch(one));
      yield;
    }
  return sketches;
}

/** For each of `others` those of `ones` that share most of its sketch, the nearest of equal ones. */
function* mates(ones: readonly Sketch[], others: readonly Sketch[]): Steps<[Sketched, Sketched][]> {
  const places = new Map<number, Sketched[]>();
  for (const { of, runs } of ones)
    for (const run of runs) {
      const known = places.get(run);
      if (known) known.push(of);
      else places.set(run, [of]);
    }
  const pairs: [Sketched, Sketched][] = [];
  for (const { of, runs } of others) {
    const common = new Map<Sketched, number>();
    for (const run of runs)
      for (const one of nearest(places.get(run) ?? [], of.at)) common.set(one, (common.get(one) ?? 0) + 1);
    const apart = (one: Sketched) => Math.abs(one.at - of.at);
    const best = [...common].sort(([one, n], [other, m]) => m - n || apart(one) - apart(other));
    for (const [one] of best.slice(0, CANDIDATES_MAX)) pairs.push([one, of]);
    yield;
  }
  return pairs;
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
