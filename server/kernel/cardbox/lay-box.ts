// Plans a new box from single cards, parts of other boxes, and a box that it begins with. Pure: decides which chunks are copied
// inside the database and which are written out.
import { type ConsistRun, formatConsist, parseConsist } from "@/server/contract/consist";
import type { Begun } from "./bases";
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

/** All that a box holds now: named, not copied. Only the first piece can be one. */
export type BasePiece = { box_id: string; cards: number; chunks: number; tokens: number; runs: ConsistRun[] };

export type Piece = { base: BasePiece } | { copy: CopyPiece } | { items: readonly BoxItem[] };

export type Layout = Pick<BoxToWrite, "length" | "token_sum" | "consist" | "chunks" | "copies"> & Partial<Begun>;

export function layBox(pieces: readonly Piece[]): Layout {
  const chunks: Chunk[] = [];
  const copies: ChunkCopy[] = [];
  const runs: ConsistRun[] = [];
  let waiting: BoxItem[] = [];
  const { base } = baseOf(pieces);
  if (base) for (const run of base.runs) runs.push(run);
  let n = base?.chunks ?? 0;
  let start = base?.cards ?? 0;
  let tokens = base?.tokens ?? 0;
  const flush = () => {
    const written = chunkItems(waiting, n, start);
    chunks.push(...written);
    n += written.length;
    start += waiting.length;
    waiting = [];
  };
  for (const piece of pieces) {
    if ("base" in piece) continue;
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
  const named = base && { base_box: base.box_id, base_len: base.cards, base_chunks: base.chunks };
  return { chunks, copies, length: start, token_sum: tokens, consist: formatConsist(runs), ...named };
}

function baseOf([first, ...others]: readonly Piece[]): { base?: BasePiece } {
  if (others.some((piece) => "base" in piece)) throw new Error("a box can only begin with another one");
  return first && "base" in first ? first : {};
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
