// Turns the cards of a box into the few rectangles a bar can show.
// A box of 10,000 cards drawn card by card took 10,000 elements per node and, with a least width each, left its scale.
import type { CardRole } from "./card-role";

export type ConsistCard = {
  role: CardRole;
  tokens: number;
  /** Known but not yet counted as given: the output so far, a sibling's shared part. */
  faded?: boolean;
};

export type ConsistSegment = { role: CardRole; faded: boolean; tokens: number; cards: number; percent: number };

/** `scale` is the number of tokens the full width stands for; `resolution` the number of parts worth telling apart. */
export function toSegments(cards: readonly ConsistCard[], scale: number, resolution = 240): ConsistSegment[] {
  if (scale <= 0) return [];
  const least = scale / resolution;
  const segments: ConsistSegment[] = [];
  let open: Bucket | null = null;
  for (const card of cards) {
    if (card.tokens <= 0) continue;
    const faded = card.faded ?? false;
    if (open !== null && (open.tokens >= least || open.faded !== faded || card.tokens >= least)) {
      segments.push(close(open, scale));
      open = null;
    }
    open ??= { faded, tokens: 0, cards: 0, byRole: { system: 0, user: 0, assistant: 0, tool: 0 } };
    open.tokens += card.tokens;
    open.cards += 1;
    open.byRole[card.role] += card.tokens;
  }
  if (open !== null) segments.push(close(open, scale));
  return segments;
}

export function totalTokens(cards: readonly ConsistCard[]): number {
  let sum = 0;
  for (const card of cards) sum += card.tokens;
  return sum;
}

type Bucket = { faded: boolean; tokens: number; cards: number; byRole: Record<CardRole, number> };

function close(bucket: Bucket, scale: number): ConsistSegment {
  const { byRole } = bucket;
  let role: CardRole = "system";
  for (const candidate of ["user", "assistant", "tool"] as const) {
    if (byRole[candidate] > byRole[role]) role = candidate;
  }
  return {
    role,
    faded: bucket.faded,
    tokens: bucket.tokens,
    cards: bucket.cards,
    percent: (bucket.tokens / scale) * 100,
  };
}
