// How far an answer of the palette looked: without it, an empty group reads as "there are none". Pure.
import { formatNumber } from "@/components/ui/format";
import type { QueryGroup } from "@/server/contract/query-search";
import type { SearchHits } from "@/server/contract/search";

const nouns: Record<QueryGroup["kind"], string> = {
  card: "cards",
  box: "boxes",
  turn: "turns",
  run: "runs",
  agent: "agents",
  profile: "profiles",
  batch: "batches",
  pack: "context packs",
};

/** Of a query of the search language. A kind of which all was looked at is left out. */
export const lookedAt = (groups: readonly QueryGroup[]): string[] =>
  groups.flatMap(({ kind, is_partial, looked_at }) =>
    is_partial && looked_at !== undefined ? [`${formatNumber(looked_at)} ${nouns[kind]}`] : [],
  );

/** Of words alone. */
export const lookedAtForWords = ({ partial, looked_at }: Pick<SearchHits, "partial" | "looked_at">): string[] =>
  partial.map((kind) => `${formatNumber(looked_at)} ${nouns[kind]}`);
