// From sources, found rows and the typed query to the groups of the palette. Pure.
import type { CommandGroup, CommandItem, CommandSource } from "@/components/ui/commands";
import { matchWord, type Range } from "./match-letters";

export type PaletteQuery = { prefix: ">" | "#" | "@" | null; words: string };

export type PaletteRow = { item: CommandItem; labelHits: Range[]; detailHits: Range[] };

export type PaletteGroup = { id: CommandGroup | "recent"; heading: string; rows: PaletteRow[]; total: number };

const groupOrder: readonly CommandGroup[] = ["turns", "do", "show", "boxes", "agents", "cards"];

const headings: Record<CommandGroup, string> = {
  turns: "Turns",
  do: "Do",
  show: "Show",
  boxes: "Boxes",
  agents: "Agents",
  cards: "Cards",
};

/** Rows a group shows beside the others; alone (behind a prefix) it shows all up to the second number. */
const rowsShared = 5;
const rowsAlone = 100;

export function parseQuery(text: string): PaletteQuery {
  const prefix = text.charAt(0);
  if (prefix === ">" || prefix === "#" || prefix === "@") return { prefix, words: text.slice(1).trim() };
  return { prefix: null, words: text.trim() };
}

/** Whether a source has a say in this query. */
export function isAsked(source: CommandSource, query: PaletteQuery): boolean {
  return query.prefix === null || prefixGroups[query.prefix] === source.group;
}

export function paletteGroups(
  sources: readonly CommandSource[],
  found: ReadonlyMap<string, readonly CommandItem[]>,
  query: PaletteQuery,
): PaletteGroup[] {
  const asked = sources.filter((source) => isAsked(source, query));
  return groupOrder.flatMap((group) => {
    const rows = new Map<string, PaletteRow & { score: number }>();
    for (const source of asked) {
      if (source.group !== group) continue;
      for (const item of source.items ?? []) {
        const row = matchItem(item, query.words);
        if (row !== null && !rows.has(item.id)) rows.set(item.id, row);
      }
      // What a server found stays in its order, behind a hit at the start of a word and before a mere scatter of letters.
      for (const item of found.get(source.id) ?? []) {
        if (!rows.has(item.id)) rows.set(item.id, { ...hitsOf(item, query.words), item, score: 50 });
      }
    }
    if (rows.size === 0) return [];
    const sorted = [...rows.values()].sort((a, b) => b.score - a.score);
    const shown = sorted.slice(0, query.prefix === null && query.words !== "" ? rowsShared : rowsAlone);
    return [{ id: group, heading: headings[group], rows: shown, total: sorted.length }];
  });
}

/** Null when a word is found nowhere in the row. */
export function matchItem(item: CommandItem, words: string): (PaletteRow & { score: number }) | null {
  let score = 0;
  for (const word of wordsOf(words)) {
    const plate = item.plate === undefined ? null : matchWord(item.plate, word);
    const best = Math.max(
      plate === null || plate.score < 60 ? 0 : plate.score + 20,
      matchWord(item.label, word)?.score ?? 0,
      substring(item.detail, word) ? 40 : 0,
      substring(item.words, word) ? 35 : 0,
    );
    if (best === 0) return null;
    score += best;
  }
  return { ...hitsOf(item, words), item, score };
}

const prefixGroups: Record<NonNullable<PaletteQuery["prefix"]>, CommandGroup> = {
  ">": "do",
  "#": "boxes",
  "@": "agents",
};

function hitsOf(item: CommandItem, words: string): { labelHits: Range[]; detailHits: Range[] } {
  const all = wordsOf(words);
  return {
    labelHits: all.flatMap((word) => matchWord(item.label, word)?.ranges ?? []),
    // In the quieter text only whole words are marked: scattered letters there would look like noise.
    detailHits: all.flatMap((word) => {
      const match = item.detail === undefined ? null : matchWord(item.detail, word);
      return match === null || match.score < 60 ? [] : match.ranges;
    }),
  };
}

function wordsOf(words: string): string[] {
  return words.split(/\s+/u).filter((word) => word !== "");
}

function substring(text: string | undefined, word: string): boolean {
  return text?.toLowerCase().includes(word.toLowerCase()) ?? false;
}
