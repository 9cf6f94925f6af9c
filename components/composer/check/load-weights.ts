// What each entry of a load weighs, and whose cards it holds: the check says it in the order of the load. Pure.
import type { CardRole } from "@/components/ui/card-role";
import { CONSIST_RUNS_MAX, parseConsist } from "@/server/contract/consist";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";

/** `role`: of the card that is most of it. */
export type LoadWeight = { tokens: number; role: CardRole };

/** By owner and index, as `weightKey` writes them; what does not exist yet is not in it. */
export function loadWeights(check: Pick<PlaceCheck, "consist" | "loads"> | undefined): Map<string, LoadWeight> {
  const weights = new Map<string, LoadWeight>();
  if (!check?.loads) return weights;
  const cards = parseConsist(check.consist ?? "");
  let [at, begins] = [0, check.loads.begins];
  // Cards before the first entry are what its agent remembers, or arguments.
  while (begins > 0 && at < cards.length) begins -= cards[at++]?.tokens ?? 0;
  for (const { owner, index, tokens } of check.loads.entries) {
    let [left, most, role] = [tokens, 0, "user" as CardRole];
    while (left > 0 && at < cards.length) {
      const card = cards[at++];
      if (!card) break;
      left -= card.tokens;
      if (card.tokens > most) [most, role] = [card.tokens, card.role];
    }
    if (tokens > 0) weights.set(weightKey(owner, index), { tokens, role });
  }
  return weights;
}

/**
 * By the built-in recipe the instruction comes last, and behind it only the pointer to the caller, a system card. Null = not known: it
 * is refused, or so many cards are handed over that the smallest are told together.
 */
export function instructionTokens(check: Pick<PlaceCheck, "consist" | "loads"> | undefined): number | null {
  const runs = check?.loads ? parseConsist(check.consist ?? "") : [];
  const last = runs.findLast(({ role }) => role !== "system");
  return runs.length >= CONSIST_RUNS_MAX || last?.role !== "user" ? null : last.tokens;
}

export const weightKey = (owner: string, index: number): string => `${owner} ${index}`;
