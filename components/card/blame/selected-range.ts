// What a person has selected on the page, as a place in the card's text. The page may show the text as Markdown or with other
// blanks, so blanks are compared as one, and what cannot be found is said. Pure.

export type TextRange = { start: number; end: number };

/** UTF-16 units of `text`; null if the selection is not in it as it stands. */
export function selectedRange(text: string, selected: string): TextRange | null {
  const words = selected.trim();
  if (words === "") return null;
  const pattern = words
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
  const found = new RegExp(pattern).exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

/** As it stands in the address, for one card alone: "<card id>" for all of it, "<card id>:120-168" for some of its words. */
export const traceOf = (card_id: string, range: TextRange | null): string =>
  range === null ? card_id : `${card_id}:${range.start}-${range.end}`;

/** null = of another card, or none. */
export function parseTrace(text: string | null, card_id: string): { range: TextRange | null } | null {
  if (text === card_id) return { range: null };
  if (text === null || !text.startsWith(`${card_id}:`)) return null;
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(text.slice(card_id.length + 1)) ?? [];
  if (start === undefined || end === undefined || Number(end) <= Number(start)) return null;
  return { range: { start: Number(start), end: Number(end) } };
}
