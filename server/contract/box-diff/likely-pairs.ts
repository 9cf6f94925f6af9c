// Which texts of two lists may be alike, without comparing each with each: those that share the rarest of their runs of words.
import type { Shingles } from "./shingles";

export type Shingled = { at: number; shingles: Shingles };
/** Stops often, so that other work is done between. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Up to so many pairs of one type and author are compared in full. Above, those whose sketches have most in common. */
const PAIRS_MAX = 40_000;
const SKETCH = 32;
const CANDIDATES_MAX = 8;
const COUNTS = 2 ** 20;
const COUNT_MAX = 65_535;

/** Few are compared in full. */
export function* likelyPairs(left: readonly Shingled[], right: readonly Shingled[]): Steps<[Shingled, Shingled][]> {
  if (left.length * right.length <= PAIRS_MAX)
    return left.flatMap((one) => right.map((other): [Shingled, Shingled] => [one, other]));
  const pairs = new Map<string, [Shingled, Shingled]>();
  for (const size of ["short", "long"] as const) {
    const [a, b] = yield* sketchesOf(size, left, right);
    for (const [one, other] of yield* mates(a, b)) pairs.set(`${one.at} ${other.at}`, [one, other]);
    for (const [other, one] of yield* mates(b, a)) pairs.set(`${one.at} ${other.at}`, [one, other]);
  }
  return [...pairs.values()];
}

type Sketch = { of: Shingled; runs: number[] };

/** The rarest runs of each text: a heading that all have says nothing, and made four million pairs of two thousand cards. */
function* sketchesOf(
  size: "short" | "long",
  left: readonly Shingled[],
  right: readonly Shingled[],
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
  const sketch = (of: Shingled): Sketch => {
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
function* mates(ones: readonly Sketch[], others: readonly Sketch[]): Steps<[Shingled, Shingled][]> {
  const places = new Map<number, Shingled[]>();
  for (const { of, runs } of ones)
    for (const run of runs) {
      const known = places.get(run);
      if (known) known.push(of);
      else places.set(run, [of]);
    }
  const pairs: [Shingled, Shingled][] = [];
  for (const { of, runs } of others) {
    const common = new Map<Shingled, number>();
    for (const run of runs)
      for (const one of nearest(places.get(run) ?? [], of.at)) common.set(one, (common.get(one) ?? 0) + 1);
    const apart = (one: Shingled) => Math.abs(one.at - of.at);
    const best = [...common].sort(([one, n], [other, m]) => m - n || apart(one) - apart(other));
    for (const [one] of best.slice(0, CANDIDATES_MAX)) pairs.push([one, of]);
    yield;
  }
  return pairs;
}

/** Of a list in the order of positions, those around `at`. */
function nearest(list: readonly Shingled[], at: number): readonly Shingled[] {
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
