// Pairs removed cards with added ones of the same type and author that have at least half of their words in order in common.

import { likelyPairs, type Shingled, type Steps } from "./likely-pairs";
import type { CardPair, DiffCard } from "./match-cards";
import { shareOf, shinglesOf } from "./shingles";

const ALIKE_MIN = 0.5;

/** Only those of one type and author are paired. */
export type Leftover = { at: number; card: Pick<DiffCard, "type" | "author_id">; text: string };

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
    const [left, right] = [yield* shingledAll(mine), yield* shingledAll(theirs)];
    for (const [one, other] of yield* likelyPairs(left, right)) {
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

/** The same from both sides, so that a against b finds as many pairs as b against a. */
const byShare = (x: CardPair, y: CardPair): number =>
  (y.alike ?? 0) - (x.alike ?? 0) || Math.abs(x.a - x.b) - Math.abs(y.a - y.b) || x.a + x.b - (y.a + y.b);

function* shingledAll(cards: readonly Leftover[]): Steps<Shingled[]> {
  const all: Shingled[] = [];
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
