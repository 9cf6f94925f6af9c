// The ordered list of what is handed over: boxes and cards in one order. Pure; the wire has the same order.
import type { LoadEntry } from "@/server/contract/handed";

export type LoadItem = { kind: "box" | "card"; id: string };

export type LoadArgs = { load?: LoadEntry[]; context_box_id?: string[]; context_card_ids?: string[] };

/** What one `load` takes (server/contract/handed.ts). */
const ENTRIES_MAX = 64;

/**
 * Longer lists that begin with their boxes go as boxes and cards, which the kernel packs in the same order. What cannot go
 * so is sent as it is, and the kernel says how many it takes.
 */
export function loadArgs(items: readonly LoadItem[]): LoadArgs {
  if (items.length === 0) return {};
  if (items.length <= ENTRIES_MAX || !isBoxesFirst(items)) return { load: items.map(entryOf) };
  const { boxes, cards } = split(items);
  return {
    ...(boxes.length > 0 && { context_box_id: boxes }),
    ...(cards.length > 0 && { context_card_ids: cards }),
  };
}

export const entryOf = ({ kind, id }: LoadItem): LoadEntry => (kind === "box" ? { box_id: id } : { card_id: id });

export function isBoxesFirst(items: readonly LoadItem[]): boolean {
  const firstCard = items.findIndex((item) => item.kind === "card");
  return firstCard === -1 || items.slice(firstCard).every((item) => item.kind === "card");
}

export function split(items: readonly LoadItem[]): { boxes: string[]; cards: string[] } {
  const idsOf = (kind: LoadItem["kind"]) => items.filter((item) => item.kind === kind).map((item) => item.id);
  return { boxes: idsOf("box"), cards: idsOf("card") };
}

export const isSameItem = (a: LoadItem, b: LoadItem): boolean => a.kind === b.kind && a.id === b.id;

export const hasItem = (items: readonly LoadItem[], item: LoadItem): boolean =>
  items.some((other) => isSameItem(other, item));

/** Out if it is in; in at the end if it is not. */
export const toggled = (items: readonly LoadItem[], item: LoadItem): readonly LoadItem[] =>
  hasItem(items, item) ? items.filter((other) => !isSameItem(other, item)) : [...items, item];
