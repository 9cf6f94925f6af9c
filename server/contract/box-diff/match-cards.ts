// Which card of one box stands for which of the other, before any text is read: the same card, the same words, or a copy.

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
  const sides: Sides = { a, b, takenA: new Set(), takenB: new Set() };
  return [
    ...matchBy(sides, "id", (card) => card.card_id),
    ...matchBy(sides, "words", (card) => card.content_hash),
    ...matchBy(sides, "copy", originOf),
  ];
}

type Sides = { a: readonly DiffCard[]; b: readonly DiffCard[]; takenA: Set<number>; takenB: Set<number> };

/** Two copies of one card are pairs too: siblings of a fork were given different ones. */
const originOf = ({ card_id, stands_for }: DiffCard): string => stands_for ?? card_id;

function matchBy(sides: Sides, by: CardPair["by"], keyOf: (card: DiffCard) => string): CardPair[] {
  const places = new Map<string, number[]>();
  for (const [at, card] of sides.a.entries()) {
    if (sides.takenA.has(at)) continue;
    const known = places.get(keyOf(card));
    if (known) known.push(at);
    else places.set(keyOf(card), [at]);
  }
  // Read from the front with a cursor: shift() on the list of a card that is repeated 10,000 times is quadratic.
  const next = new Map<string, number>();
  const pairs: CardPair[] = [];
  for (const [at, card] of sides.b.entries()) {
    if (sides.takenB.has(at)) continue;
    const key = keyOf(card);
    const n = next.get(key) ?? 0;
    const place = places.get(key)?.[n];
    if (place === undefined) continue;
    next.set(key, n + 1);
    pairs.push({ a: place, b: at, by });
  }
  for (const pair of pairs) {
    sides.takenA.add(pair.a);
    sides.takenB.add(pair.b);
  }
  return pairs;
}

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
