// Which card of one box stands for which of the other, before any text is read: the same card, the same words, or a copy.
import { pairByKey, sidesOf } from "../run-compare/pair-by-key";

export type DiffCard = {
  card_id: string;
  type: string;
  author_id: string;
  tokens: number;
  content_hash: string;
  /** The card that this one is a copy of, or replaces. */
  stands_for: string | null;
};

/** Positions in the two boxes, and why they belong together. */
export type CardPair = { a: number; b: number; by: "id" | "words" | "copy" | "alike"; alike?: number };

/** Each position is in at most one pair. A card that occurs n times counts as n cards: the first matches the first. */
export function matchCards(a: readonly DiffCard[], b: readonly DiffCard[]): CardPair[] {
  const sides = sidesOf(a, b);
  const by = (how: CardPair["by"], keyOf: (card: DiffCard) => string): CardPair[] =>
    pairByKey(sides, keyOf).map((pair) => ({ ...pair, by: how }));
  return [...by("id", (card) => card.card_id), ...by("words", (card) => card.content_hash), ...by("copy", originOf)];
}

/** Two copies of one card are pairs too: siblings of a fork were given different ones. */
const originOf = ({ card_id, stands_for }: DiffCard): string => stands_for ?? card_id;

/** Positions that no pair has. */
export function unmatched(
  { a, b }: { a: readonly DiffCard[]; b: readonly DiffCard[] },
  pairs: readonly CardPair[],
): { a: number[]; b: number[] } {
  const [takenA, takenB] = [new Set(pairs.map((pair) => pair.a)), new Set(pairs.map((pair) => pair.b))];
  return {
    a: [...a.keys()].filter((at) => !takenA.has(at)),
    b: [...b.keys()].filter((at) => !takenB.has(at)),
  };
}
