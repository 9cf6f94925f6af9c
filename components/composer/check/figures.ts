// What a check says in figures: tokens exact, about, or not known. One definition for wagons, lists and the footer. Pure.
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatNumber } from "@/components/ui/format";
import { parseConsist } from "@/server/contract/consist";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";

export type Tokens = { sum: number; isExact: boolean; isOpen: boolean };

export function tokensOf({ tokens }: Pick<PlaceCheck, "tokens">): Tokens {
  const { exact, estimated, unknown } = tokens;
  return {
    sum: exact + (estimated?.likely ?? 0),
    isExact: estimated === undefined && unknown.length === 0,
    isOpen: unknown.length > 0,
  };
}

/** What is refused is not packed, so nothing is known of its weight: a sum of 0 would claim that it is given nothing. */
export const isPacked = ({ consist }: Pick<PlaceCheck, "consist">): boolean => consist !== undefined;

/** "4,628", "~7,229", "at least 4,628" */
export function tokenWords({ sum, isExact, isOpen }: Tokens): string {
  if (isExact) return formatNumber(sum);
  return isOpen ? `at least ${formatNumber(sum)}` : `~${formatNumber(sum)}`;
}

/** For a wagon: "4.6k", "~7.2k", "4.6k+" */
export function shortTokens({ sum, isExact, isOpen }: Tokens): string {
  const short = sum < 1_000 ? `${sum}` : sum < 100_000 ? `${(sum / 1_000).toFixed(1)}k` : `${Math.round(sum / 1_000)}k`;
  return isExact ? short : isOpen ? `${short}+` : `~${short}`;
}

/** Exact cards in their order, then what is estimated as one hatched piece. */
export function segmentsOf({ consist, tokens }: Pick<PlaceCheck, "consist" | "tokens">): ConsistCard[] {
  const exact = parseConsist(consist ?? "");
  const likely = tokens.estimated?.likely ?? 0;
  return likely > 0 ? [...exact, { role: "assistant", tokens: likely, faded: true }] : exact;
}

/** System prompt and tools: what is sent before any card, and is in no box. */
export const overheadOf = ({ consist, tokens }: Pick<PlaceCheck, "consist" | "tokens">): number =>
  Math.max(0, tokens.exact - parseConsist(consist ?? "").reduce((sum, card) => sum + card.tokens, 0));

/** All that it will see: prompt and tools, then the cards. Its sum is that of `tokensOf`. */
export const seenBy = (check: Pick<PlaceCheck, "consist" | "tokens">): ConsistCard[] => [
  { role: "system", tokens: overheadOf(check) },
  ...segmentsOf(check),
];

/** What the full width of a wagon's bar of cards stands for. */
export const scaleOf = (check: Pick<PlaceCheck, "consist" | "tokens" | "window_tokens" | "loads">): number =>
  Math.max(
    check.window_tokens ?? 0,
    tokensOf(check).sum,
    parseConsist(check.consist ?? "").reduce((sum, { tokens }) => sum + tokens, 0),
    (check.loads?.entries ?? []).reduce((sum, { tokens }) => sum + tokens, check.loads?.begins ?? 0),
  );

/** Of what it is handed over, without its prompt and tools: what its context box will hold. */
export function handedOf({ consist, tokens }: Pick<PlaceCheck, "consist" | "tokens">): Tokens {
  const exact = parseConsist(consist ?? "").reduce((sum, card) => sum + card.tokens, 0);
  return { ...tokensOf({ tokens }), sum: exact + (tokens.estimated?.likely ?? 0) };
}

/** What everything that starts is given, together; null = nothing of it is packed. */
export function sumOf(places: Iterable<PlaceCheck>): Tokens | null {
  const all = [...places];
  const packed = all.filter(isPacked);
  if (packed.length === 0) return null;
  let total: Tokens = { sum: 0, isExact: packed.length === all.length, isOpen: packed.length < all.length };
  for (const place of packed) {
    const { sum, isExact, isOpen } = tokensOf(place);
    total = { sum: total.sum + sum, isExact: total.isExact && isExact, isOpen: total.isOpen || isOpen };
  }
  return total;
}
