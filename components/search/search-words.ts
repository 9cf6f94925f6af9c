// The kinds of things that are searched, and where a fault of a query stands.
import type { QueryKind } from "@/server/contract/search-query/fields";

export const kindNames: Record<QueryKind, string> = {
  card: "Cards",
  turn: "Turns",
  box: "Boxes",
  run: "Runs",
  agent: "Agents",
  profile: "Profiles",
  batch: "Batches",
  pack: "Context packs",
};

/** In the order of the page: what people look for most comes first. */
export const kindOrder: readonly QueryKind[] = ["turn", "card", "box", "run", "agent", "profile", "batch", "pack"];

export type Fault = { column: number; message: string };

/** From the words of a refusal, "q: column 14: unknown field ...". null = it is about something else. */
export function faultOf(message: string): Fault | null {
  const [, column, text] = /^q: column (\d+): (.*)$/s.exec(message) ?? [];
  return column === undefined || text === undefined ? null : { column: Number(column), message: text };
}

/** The query around the fault: what is read, and from where it cannot be. */
export function splitAt(query: string, { column }: Fault): { before: string; from: string } {
  const letters = [...query];
  const at = Math.min(Math.max(0, column - 1), letters.length);
  return { before: letters.slice(0, at).join(""), from: letters.slice(at).join("") };
}

/** What can be typed, with what it finds. */
export const examples: readonly { query: string; finds: string }[] = [
  { query: "is:failed", finds: "turns that failed" },
  { query: "type:tool.result tokens:>1k", finds: "heavy results of tools" },
  { query: '"skip locked" -type:sys.*', finds: "cards with these words side by side" },
  { query: "profile:Demo_* duration:>10s", finds: "slow turns of some profiles" },
  { query: "kind:box tokens:[1k TO 10k]", finds: "boxes of a certain weight" },
];
