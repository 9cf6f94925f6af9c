// How a list of cards is stored in chunks of 64, each with its origins as runs. Pure; shared by the verbs that write boxes.
import type { Origin } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";

export const CHUNK_MAX = 64;

/** Never inherited: the facts of one delegation are wrong in the next. */
export const UNTRAVELLED = "meta.delegation_context";

/** What a box needs to know about a card. A whole Card with an origin works too. */
export type BoxItem = Pick<Card, "card_id" | "role" | "token_count" | "type"> & { origin: Origin };

export const boxItemOf = ({ card_id, role, token_count, type }: Omit<BoxItem, "origin">, origin: Origin): BoxItem => ({
  card_id,
  role,
  token_count,
  type,
  origin,
});

export type Chunk = {
  n: number;
  start: number;
  card_ids: string[];
  origins: [number, Origin][];
  tokens: number;
  has_untravelled: boolean;
};

/** New chunks for `items`, from chunk `n` at position `start` on. */
export function chunkItems(items: readonly BoxItem[], n = 0, start = 0): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < items.length; at += CHUNK_MAX) {
    const chunk: Chunk = { n: n++, start: start + at, card_ids: [], origins: [], tokens: 0, has_untravelled: false };
    for (const item of items.slice(at, at + CHUNK_MAX)) addToChunk(chunk, item);
    chunks.push(chunk);
  }
  return chunks;
}

export function addToChunk(chunk: Chunk, item: BoxItem): void {
  chunk.card_ids.push(item.card_id);
  chunk.tokens += item.token_count;
  if (item.type === UNTRAVELLED) chunk.has_untravelled = true;
  const last = chunk.origins.at(-1);
  if (last?.[1] === item.origin) last[0]++;
  else chunk.origins.push([1, item.origin]);
}

export const runsOf = (items: readonly BoxItem[]) => items.map((i) => ({ role: i.role, tokens: i.token_count }));

export const tokensOf = (items: readonly Pick<BoxItem, "token_count">[]): number =>
  items.reduce((sum, i) => sum + i.token_count, 0);
