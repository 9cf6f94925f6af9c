// Why a card is not what it was when its hand-over is packed again, as the two receipts tell it. Pure.
import type { ExpandedReceipt } from "../../context/expand-receipt";
import type { PackedCard, PairedCard } from "./pair-packs";

type Lines = ExpandedReceipt["lines"];

/** The originals of copies. A box has them at the place that the receipt names; of a single card the caller knows. */
export function originalsOf(
  lines: Lines,
  boxes: ReadonlyMap<string, string[]>,
  single: (nth: number, card_id: string) => string | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  let singles = 0;
  for (const { verdict, origin, box_id, from = 0, card_id, reason } of lines) {
    const nth = origin === "card" ? singles++ : 0;
    if (verdict !== "redacted" && !(verdict === "included" && reason !== undefined)) continue;
    const original = box_id === undefined ? single(nth, card_id) : boxes.get(box_id)?.[from];
    if (original !== undefined && original !== card_id) found.set(card_id, original);
  }
  return found;
}

export function reasonsOf({ lines, held }: { lines: Lines; held: Lines }) {
  const said = new Map(lines.map(({ card_id, reason }) => [card_id, reason]));
  const lengths = new Map<string, number>();
  for (const { box_id, to = 0 } of held)
    if (box_id !== undefined) lengths.set(box_id, Math.max(lengths.get(box_id) ?? 0, to + 1));
  const late = new Set(
    lines.flatMap(({ box_id, from = 0, card_id }) => {
      const length = box_id === undefined ? undefined : lengths.get(box_id);
      return length !== undefined && from >= length ? card_id : [];
    }),
  );
  const beforehand = new Map(held.map(({ card_id, reason }) => [card_id, reason]));
  return ({ verdict, held: one, now: other }: PairedCard<PackedCard>): string | undefined => {
    if (verdict === "left_out") return one && leftOutBecause(one, said);
    if (verdict === "added") return other && addedBecause(other, { late, said, beforehand });
    if (verdict === "changed") return one && other && changedBecause(one, other, said);
    return undefined;
  };
}

function leftOutBecause(card: PackedCard, said: ReadonlyMap<string, string | undefined>): string {
  if (card.origin.startsWith("arg:")) return `the recipe makes no card of the argument ${card.origin.slice(4)}`;
  return said.get(card.original ?? card.card_id) ?? "it is in no box or argument that is handed over now";
}

type Known = {
  late: ReadonlySet<string>;
  said: ReadonlyMap<string, string | undefined>;
  beforehand: ReadonlyMap<string, string | undefined>;
};

function addedBecause(card: PackedCard, { late, said, beforehand }: Known): string | undefined {
  if (late.has(card.card_id)) return "it came to the box after this hand-over";
  const then = beforehand.get(card.original ?? card.card_id);
  return then === undefined ? said.get(card.card_id) : `then left out: ${then}`;
}

function changedBecause(one: PackedCard, other: PackedCard, said: ReadonlyMap<string, string | undefined>): string {
  if (one.type !== other.type) return `${one.type} then, ${other.type} now`;
  if (other.origin.startsWith("arg:")) return "the argument has other words now";
  if (other.original === undefined) return "a copy was handed over then, now the card itself is";
  return said.get(other.card_id) ?? "a copy is handed over now";
}
