// A hand-over card by card, for the editor of its order: what is remembered, what each entry of the load brings, what the recipe
// keeps out, and what is made on the way. Pure: the dry run has packed it already.
import type { PackResult, ReceiptLine } from "@/server/contract/pack";
import {
  HANDOVER_CARDS_MAX,
  type HandOver,
  type HandOverCard,
  type HandOverEntry,
} from "@/server/contract/plan/kernel-check";
import type { Load } from "@/server/contract/plan/plan";
import type { Packed } from "../context/pack-item";
import type { EntryWeight } from "./check-loads";
import { sumOf } from "./estimate-results";

type Shown = NonNullable<PackResult["preview"]>[number];
export type OwnedEntry = { owner: string; index: number; load: Load; weight: EntryWeight };

/** So much of a card is read in a list. */
const TEXT_MAX = 300;

export type HandOverInput = {
  packed: Packed;
  entries: readonly OwnedEntry[];
  /** Of an agent that goes on in another wagon of the plan; null = not so. */
  memory: EntryWeight | null;
};

export function handOverOf({ packed, entries, memory }: HandOverInput): HandOver {
  const { preview = [], receipt, rendered } = packed;
  const free = new Set(preview);
  const lines = linesOf(receipt.lines, entries);
  const remembered = rememberedBy(rendered, preview);
  return {
    ...((memory || remembered.card_count > 0) && { memory: { ...remembered, ...(memory && weightOf(memory)) } }),
    entries: entries.map((entry, i) => entryOf(entry, lines[i] ?? [], free)),
    own: preview.flatMap((card) => {
      const kind = kinds.find(([origin]) => card.origin.startsWith(origin))?.[1];
      return kind ? [{ ...shown(card), kind }] : [];
    }),
    order: receipt.order,
    ...(receipt.recipe && { recipe: receipt.recipe }),
  };
}

const kinds = [
  ["arg:", "argument"],
  ["pack", "pack"],
  ["sys", "facts"],
  ["ptr", "pointer"],
] as const;

const shown = ({ card_id, type, role, token_count, text }: Shown): HandOverCard => ({
  card_id,
  type,
  role,
  tokens: token_count,
  text: text.slice(0, TEXT_MAX),
});

const weightOf = ({ estimates, unknown }: EntryWeight) => {
  const estimated = sumOf(estimates);
  return { ...(estimated && { estimated }), unknown };
};

/** Messages of cards that are not handed over now: an agent that exists has them already. */
function rememberedBy(rendered: Packed["rendered"], preview: readonly Shown[]): NonNullable<HandOver["memory"]> {
  const handed = new Set(preview.map(({ card_id }) => card_id));
  const known = (rendered?.messages ?? []).filter(
    ({ role, card_ids }) => role !== "system" && card_ids.length > 0 && !card_ids.some((id) => handed.has(id)),
  );
  const cards = known.map(({ role, text, card_ids, tokens }): HandOverCard => {
    const known = roles.find((one) => one === role) ?? "user";
    return { card_id: card_ids[0] ?? "", type: role, role: known, tokens, text: text.slice(0, TEXT_MAX) };
  });
  return {
    cards: cards.slice(0, HANDOVER_CARDS_MAX),
    card_count: cards.length,
    tokens: cards.reduce((sum, { tokens }) => sum + tokens, 0),
    unknown: [],
  };
}

const roles = ["user", "assistant", "tool"] as const;

/** What came first has a card that two entries bring: the other one is a duplicate, and its line says so. */
function entryOf({ owner, index, weight }: OwnedEntry, own: readonly ReceiptLine[], free: Set<Shown>): HandOverEntry {
  const boxes = new Set(weight.items.flatMap((item) => ("box_id" in item ? `box:${item.box_id}` : [])));
  const ids = new Set(
    own.flatMap(({ origin, card_id }) => (origin === "card" && card_id !== undefined ? card_id : [])),
  );
  const brought = [...free].filter(
    ({ origin, card_id }) => boxes.has(origin) || (origin === "card" && ids.has(card_id)),
  );
  for (const card of brought) free.delete(card);
  return {
    owner,
    index,
    cards: brought.slice(0, HANDOVER_CARDS_MAX).map(shown),
    card_count: brought.length,
    tokens: brought.reduce((sum, { token_count }) => sum + token_count, weight.tokens),
    ...weightOf(weight),
    left_out: own.flatMap(({ verdict, cards, tokens, reason }) =>
      verdict === "withheld" || verdict === "duplicate"
        ? [{ cards, tokens, reason: reason ?? (verdict === "duplicate" ? "there already" : "left out") }]
        : [],
    ),
    redacted: own.reduce((sum, { verdict, cards }) => sum + (verdict === "redacted" ? cards : 0), 0),
  };
}

/** The lines of the receipt that each entry of a load has. A redacted card is named by its copy: those come in the order of the load. */
export function linesOf(lines: readonly ReceiptLine[], entries: readonly OwnedEntry[]): ReceiptLine[][] {
  const named = new Set(
    entries.flatMap(({ weight }) => weight.items.flatMap((item) => ("card_id" in item ? item.card_id : []))),
  );
  const copies = lines.filter(
    ({ origin, verdict, card_id }) => origin === "card" && verdict === "redacted" && !named.has(card_id ?? ""),
  );
  return entries.map(({ weight }) =>
    weight.items.flatMap((item) => {
      if ("box_id" in item) return lines.filter(({ box_id }) => box_id === item.box_id);
      const own = lines.filter(({ origin, card_id }) => origin === "card" && card_id === item.card_id);
      return own.length > 0 ? own : copies.splice(0, 1);
    }),
  );
}
