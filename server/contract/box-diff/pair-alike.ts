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
  return [...likelyBy("short", left, right), ...likelyBy("long", left, right)];
}

/** The smallest numbers of both are a fair sample of them: texts that share half have some of these in common. */
function likelyBy(size: "short" | "long", left: readonly Sketched[], right: readonly Sketched[]) {
  const places = new Map<number, number[]>();
  for (const [i, { shingles }] of left.entries())
    for (const n of shingles[size]?.subarray(0, SKETCH) ?? []) {
      const known = places.get(n);
      if (known) known.push(i);
      else places.set(n, [i]);
    }
  const best: Best = { left: left.map(() => []), right: right.map(() => []) };
  const common = new Int32Array(left.length);
  for (const [j, { shingles }] of right.entries()) {
    const seen: number[] = [];
    for (const n of shingles[size]?.subarray(0, SKETCH) ?? [])
      for (const i of places.get(n) ?? []) {
        if (common[i] === 0) seen.push(i);
        common[i] = (common[i] ?? 0) + 1;
      }
    for (const i of seen) {
      offer(best, { i, j, common: common[i] ?? 0, apart: Math.abs((left[i]?.at ?? 0) - (right[j]?.at ?? 0)) });
      common[i] = 0;
    }
  }
  const chosen = new Map([...best.left, ...best.right].flat().map((one) => [`${one.i} ${one.j}`, one]));
  return [...chosen.values()].flatMap(({ i, j }): [Sketched, Sketched][] => {
    const [one, other] = [left[i], right[j]];
    return one && other ? [[one, other]] : [];
  });
}

type Candidate = { i: number; j: number; common: number; apart: number };
type Best = { left: Candidate[][]; right: Candidate[][] };

function offer(best: Best, candidate: Candidate): void {
  for (const list of [best.left[candidate.i], best.right[candidate.j]]) {
    if (!list) continue;
    const at = list.findIndex((one) => better(candidate, one));
    if (at >= 0) list.splice(at, 0, candidate);
    else if (list.length < CANDIDATES_MAX) list.push(candidate);
    if (list.length > CANDIDATES_MAX) list.pop();
  }
}

const better = (one: Candidate, other: Candidate): boolean =>
  one.common > other.common || (one.common === other.common && one.apart < other.apart);
