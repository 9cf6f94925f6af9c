// The kinds of things that are searched, and queries to begin with.
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

/** What can be typed, with what it finds. */
export const examples: readonly { query: string; finds: string }[] = [
  { query: "is:failed", finds: "turns that failed" },
  { query: "kind:card type:tool.result tokens:>500", finds: "heavy results of tools" },
  { query: '"skip locked" -type:sys.*', finds: "cards with these words side by side" },
  { query: "profile:Demo_* duration:>10s", finds: "slow turns of some profiles" },
  { query: "kind:box tokens:[1k TO 10k]", finds: "boxes of a certain weight" },
];
