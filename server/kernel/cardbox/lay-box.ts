// Plans a new box from single cards and parts of other boxes. Pure: decides which chunks are copied inside the database and
// which are written out.
import { type ConsistRun, formatConsist, parseConsist } from "@/server/contract/consist";
import { type BoxItem, type Chunk, chunkItems, runsOf, tokensOf } from "./box-chunks";
import type { BoxToWrite, ChunkCopy } from "./write-boxes";

/** Whole consecutive chunks of a box, never its last one. */
export type CopyPiece = {
  box_id: string;
  from_n: number;
  to_n: number;
  /** Position of the first card in the source. */
  start: number;
  cards: number;
  tokens: number;
  runs: ConsistRun[];
};

export type Piece = { copy: CopyPiece } | { items: readonly BoxItem[] };

export type Layout = Pick<BoxToWrite, "length" | "token_sum" | "consist" | "chunks" | "copies">;

export function layBox(pieces: readonly Piece[]): Layout {
  const chunks: Chunk[] = [];
  const copies: ChunkCopy[] = [];
  const runs: ConsistRun[] = [];
  let waiting: BoxItem[] = [];
  let n = 0;
  let start = 0;
  let tokens = 0;
  const flush = () => {
    const written = chunkItems(waiting, n, start);
    chunks.push(...written);
    n += written.length;
    start += waiting.length;
    waiting = [];
  };
  for (const piece of pieces) {
    if ("items" in piece) {
      for (const item of piece.items) waiting.push(item);
      for (const run of runsOf(piece.items)) runs.push(run);
      tokens += tokensOf(piece.items);
      continue;
    }
    flush();
    const { box_id: source_box_id, from_n, to_n, cards } = piece.copy;
    const upto = piece.copy.start + cards;
    copies.push({ source_box_id, from_n, to_n, upto, n_shift: n - from_n, start_shift: start - piece.copy.start });
    n += to_n - from_n + 1;
    start += piece.copy.cards;
    tokens += piece.copy.tokens;
    runs.push(...piece.copy.runs);
  }
  flush();
  return { chunks, copies, length: start, token_sum: tokens, consist: formatConsist(runs) };
}

/** The runs between two token offsets of a stored consist: the weight of a part of the box, without reading its cards. */
export function sliceConsist(consist: string, from: number, to: number): ConsistRun[] {
  let at = 0;
  return parseConsist(consist).flatMap((run) => {
    const lo = Math.max(at, from);
    const hi = Math.min(at + run.tokens, to);
    at += run.tokens;
    return hi > lo ? [{ role: run.role, tokens: hi - lo }] : [];
  });
}
