// The last cards of a box, up to 64, stand in its own row: most boxes are that row alone. Full chunks before them are rows of
// box_chunks; the view card_box_chunks shows both. Of the tail's cards, those that were written for another box are in the index
// by which boxes of a card are found (held-in.ts).
import type { Origin } from "@/server/contract/box";
import type { Chunk } from "./box-chunks";

/** Columns of `card_boxes`. Without a tail, the box is empty or ends with a chunk that was copied or is its base's. */
export type Tail = {
  chunk_count: number;
  tail?: string[];
  carried?: string[];
  tail_origins?: [number, Origin][];
  tail_tokens?: number;
  tail_untravelled?: boolean;
};

export const TAIL_COLUMNS = "chunk_count, tail, carried, tail_origins, tail_tokens, tail_untravelled";
/** For jsonb_to_recordset. */
export const TAIL_FIELDS =
  "chunk_count int, tail text[], carried text[], tail_origins jsonb, tail_tokens int, tail_untravelled boolean";

type Laid = {
  length: number;
  chunks: readonly Chunk[];
  copies?: readonly { from_n: number; to_n: number }[];
  base_chunks?: number;
};

/** `isBorn`: the card is stored with this box named as its first. */
export function splitTail(box: Laid, isBorn: (card_id: string) => boolean): { full: readonly Chunk[]; tail: Tail } {
  const { length, chunks, copies = [], base_chunks = 0 } = box;
  const last = chunks.at(-1);
  const copied = copies.reduce((sum, { from_n, to_n }) => sum + to_n - from_n + 1, 0);
  if (!last || last.start + last.card_ids.length < length)
    return { full: chunks, tail: { chunk_count: base_chunks + copied + chunks.length } };
  const carried = last.card_ids.filter((id) => !isBorn(id));
  const tail: Tail = {
    chunk_count: last.n,
    tail: last.card_ids,
    // Not empty: JSON leaves it out, the column stays null, and the index has no entry for a box that carries nothing.
    carried: carried.length > 0 ? carried : undefined,
    tail_origins: last.origins,
    tail_tokens: last.tokens,
    tail_untravelled: last.has_untravelled,
  };
  return { full: chunks.slice(0, -1), tail };
}
