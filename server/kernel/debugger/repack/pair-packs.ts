// The cards of a box beside those that it would hold if it were packed again. A card is the same by what stays the same when it
// is packed again: an inherited one by its original, one that was made here by its origin and which of that origin it is. Pure.
import type { RepackVerdict } from "@/server/contract/repack";

export type PackedCard = {
  card_id: string;
  type: string;
  /** arg:<name> | box:<id> | card | pack | ptr | sys */
  origin: string;
  /** Of a redacted copy. */
  original?: string;
};
export type PairedCard<T> = { verdict: RepackVerdict; held?: T; now?: T };

/** In the order of the new box; what is left out comes after the card that it followed. `rewritten`: origins with other words now. */
export function pairPacks<T extends PackedCard>(
  held: readonly T[],
  now: readonly T[],
  rewritten: ReadonlySet<string> = new Set(),
): PairedCard<T>[] {
  const byKey = new Map(keyed(held));
  const kept = withKernels(keyed(held), keyed(now));
  const there = new Set(kept.map(([key]) => key));
  const lost = new Map<string | null, PairedCard<T>[]>();
  let before: string | null = null;
  for (const [key, card] of byKey) {
    if (there.has(key)) before = key;
    else lost.set(before, [...(lost.get(before) ?? []), { verdict: "left_out", held: card }]);
  }
  return [
    ...(lost.get(null) ?? []),
    ...kept.flatMap(([key, card]) => [pairOf(byKey.get(key), card, rewritten), ...(lost.get(key) ?? [])]),
  ];
}

function pairOf<T extends PackedCard>(held: T | undefined, now: T, rewritten: ReadonlySet<string>): PairedCard<T> {
  if (!held) return { verdict: "added", now };
  const isAlike = isMade(now) ? !rewritten.has(now.origin) : held.card_id === now.card_id;
  const isSame = held.type === now.type && isAlike;
  return { verdict: isSame ? "same" : "changed", held, now };
}

const isMade = ({ origin }: PackedCard): boolean => /^(arg:|pack$|ptr$|sys$)/.test(origin);
/** Made by the kernel or handed beside the task: no recipe decides about them, and a dry run by a person makes none. */
const isKernels = ({ origin }: PackedCard): boolean => /^(pack|ptr|sys)$/.test(origin);

function keyed<T extends PackedCard>(cards: readonly T[]): [string, T][] {
  const counts = new Map<string, number>();
  return cards.map((card) => {
    if (!isMade(card)) return [`card ${card.original ?? card.card_id}`, card];
    const count = counts.get(card.origin) ?? 0;
    counts.set(card.origin, count + 1);
    return [`${card.origin} ${count}`, card];
  });
}

/** Each after the card that it follows in the old box; the pointer stays last. */
function withKernels<T extends PackedCard>(held: readonly [string, T][], now: readonly [string, T][]): [string, T][] {
  const kept = now.filter(([, card]) => !isKernels(card));
  for (const [at, entry] of held.entries()) {
    const [, card] = entry;
    if (!isKernels(card)) continue;
    const [before] = held[at - 1] ?? [];
    const place = kept.findIndex(([key]) => key === before);
    if (card.origin !== "ptr" && (at === 0 || place >= 0)) kept.splice(at === 0 ? 0 : place + 1, 0, entry);
    else kept.push(entry);
  }
  return kept;
}
