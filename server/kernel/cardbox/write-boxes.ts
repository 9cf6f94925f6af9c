// The one statement that writes boxes, whatever their number and length: a box that is handed over whole is named, chunks of
// others are copied inside the database, and only new content is sent to it.
import type { BoxKind } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import type { Begun } from "./bases";
import type { Chunk } from "./box-chunks";
import { splitTail, TAIL_COLUMNS, TAIL_FIELDS, type Tail } from "./box-tail";
import { cardRows, rowOf } from "./insert-cards";

/** Chunks `from_n`..`to_n` of another box, unchanged. Never a box's last chunk, which may still grow. */
export type ChunkCopy = {
  source_box_id: string;
  from_n: number;
  to_n: number;
  /** The position in the source after the last copied card. */
  upto: number;
  n_shift: number;
  start_shift: number;
};

export type BoxToWrite = Partial<Begun> & {
  box_id: string;
  kind: BoxKind;
  owner_agent_id?: string;
  owner_turn_id?: string;
  length: number;
  token_sum: number;
  consist: string;
  has_repeats: boolean;
  receipt?: unknown;
  chunks: Chunk[];
  copies: ChunkCopy[];
};

const BOX_ROWS = `
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id, length, token_sum, consist, has_repeats, receipt,
      base_box, base_len, ${TAIL_COLUMNS})
    SELECT $1, g.* FROM jsonb_to_recordset($2::jsonb) AS g(box_id text, kind text, owner_agent_id text, owner_turn_id text,
      length int, token_sum bigint, consist text, has_repeats boolean, receipt jsonb,
      base_box text, base_len int, ${TAIL_FIELDS})`;

const chunkRows = (ofFresh: string) => `
    INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, g.* FROM jsonb_to_recordset($3::jsonb) AS g(box_id text, n int, start int, card_ids text[],
      origins jsonb, tokens int, has_untravelled boolean) ${ofFresh}`;

// LATERAL: planned on tables not analysed yet, a plain join read and hashed every chunk of the project (48 ms instead of 8
// for 10,000 cards beside 20,000 chunks), and a generic plan never changes. Sizes come from the start positions: to count its
// ids, a chunk would have to be unpacked. Of a box with a base, its chunks are copied too.
const copyRows = (copies: string) => `
    UNION ALL
    SELECT $1, g.box_id, c.n + g.n_shift, c.start + g.start_shift, c.card_ids,
      jsonb_build_array(jsonb_build_array(c.size, 'box:' || g.source_box_id)), c.tokens, c.has_untravelled
    FROM jsonb_to_recordset(${copies}::jsonb) AS g(box_id text, source_box_id text, from_n int, to_n int, upto int,
      n_shift int, start_shift int) CROSS JOIN LATERAL (SELECT n, start, card_ids, tokens, has_untravelled, lead(start, 1, g.upto) OVER (ORDER BY n) - start AS size FROM card_box_chunks
      WHERE tenant_id = $1 AND box_id = g.source_box_id AND n BETWEEN g.from_n AND g.to_n) c`;

/** An existing box keeps its chunks. */
const WRITE = `
  WITH fresh AS (${BOX_ROWS}
    ON CONFLICT DO NOTHING
    RETURNING box_id
  ), written AS (${chunkRows("WHERE g.box_id IN (SELECT box_id FROM fresh)")})
  SELECT box_id FROM fresh`;

// An id that was just created cannot exist yet. The clause would write one more WAL record per row, and looking up each
// chunk's box among the new ones took 64 x 64 comparisons in a fork of 64.
const WRITE_NEW = `WITH fresh AS (${BOX_ROWS}) ${chunkRows("")}`;
const WRITE_BOTH = `WITH made AS (${cardRows("$4")}), fresh AS (${BOX_ROWS}) ${chunkRows("")}`;
// Where nothing is copied, this part is left out: to open its plan takes longer than to run the rest for one box.
const COPY_NEW = `WITH fresh AS (${BOX_ROWS}) ${chunkRows("")} ${copyRows("$4")}`;
const COPY_BOTH = `WITH made AS (${cardRows("$4")}), fresh AS (${BOX_ROWS}) ${chunkRows("")} ${copyRows("$5")}`;

export type BoxesToWrite = {
  project_id: string;
  boxes: BoxToWrite[];
};

/** conflict names a box id that is taken. A box with an owner turn is announced by a frame. */
export async function writeBoxes(unit: Unit, { project_id, boxes }: BoxesToWrite): Promise<void> {
  if (boxes.length === 0) return;
  if (boxes.some(({ copies }) => copies.length > 0)) throw new Error("chunks are copied into boxes with new ids only");
  const { rows: made, chunks } = rowsOf(boxes);
  const rows = await unit.query<{ box_id: string }>("boxes_write", WRITE, [project_id, made, chunks]);
  const fresh = new Set(rows.map((row) => row.box_id));
  const taken = boxes.find((box) => !fresh.has(box.box_id));
  if (taken)
    throw new KernelError("conflict", `box ${taken.box_id} exists; append to it or leave box_id out`, {
      box_id: taken.box_id,
    });
  announce(unit, project_id, boxes);
}

/**
 * Boxes, and cards with them, whose ids were just created; `storeCards` stores others first. Nothing waits for this write:
 * the unit continues meanwhile.
 */
export function writeNewBoxes(unit: Unit, input: BoxesToWrite & { cards?: Card[] }): void {
  const { project_id, boxes, cards = [] } = input;
  if (boxes.length === 0) return;
  const born = firstBoxes(boxes, cards);
  const { rows, chunks, copies } = rowsOf(boxes, born);
  const values = [project_id, rows, chunks];
  const made = cards.length > 0 ? [JSON.stringify(cards.map((card) => rowOf(card, born.get(card.card_id))))] : [];
  const [name, sql] = copies
    ? cards.length > 0
      ? ["boxes_copy_both", COPY_BOTH]
      : ["boxes_copy_new", COPY_NEW]
    : cards.length > 0
      ? ["boxes_write_both", WRITE_BOTH]
      : ["boxes_write_new", WRITE_NEW];
  unit.send(name, sql, [...values, ...made, ...(copies ? [copies] : [])]);
  announce(unit, project_id, boxes);
}

/** Of each card, the first of the boxes that it is written with. */
function firstBoxes(boxes: BoxToWrite[], cards: Card[]): Map<string, string> {
  const fresh = new Set(cards.map((card) => card.card_id));
  const born = new Map<string, string>();
  for (const { box_id, chunks } of boxes)
    for (const id of chunks.flatMap((chunk) => chunk.card_ids))
      if (fresh.has(id) && !born.has(id)) born.set(id, box_id);
  return born;
}

type Rows = { rows: string; chunks: string; copies: string | null };

function rowsOf(boxes: BoxToWrite[], born: ReadonlyMap<string, string> = new Map()): Rows {
  const split = boxes.map((box) => {
    const { full, tail } = splitTail(box, (id) => born.get(id) === box.box_id);
    return { row: rowWith(box, tail), full };
  });
  const copies = boxes.flatMap((b) => b.copies.map((c) => ({ box_id: b.box_id, ...c })));
  return {
    rows: JSON.stringify(split.map(({ row }) => row)),
    chunks: JSON.stringify(split.flatMap(({ row: { box_id }, full }) => full.map((chunk) => ({ box_id, ...chunk })))),
    copies: copies.length > 0 ? JSON.stringify(copies) : null,
  };
}

const rowWith = (box: BoxToWrite, tail: Tail) => ({
  box_id: box.box_id,
  kind: box.kind,
  owner_agent_id: box.owner_agent_id,
  owner_turn_id: box.owner_turn_id,
  length: box.length,
  token_sum: box.token_sum,
  consist: box.consist,
  has_repeats: box.has_repeats,
  receipt: box.receipt,
  base_box: box.base_box,
  base_len: box.base_len,
  chunk_count: tail.chunk_count,
  tail: tail.tail,
  carried: tail.carried,
  tail_origins: tail.tail_origins,
  tail_tokens: tail.tail_tokens,
  tail_untravelled: tail.tail_untravelled,
});

function announce(unit: Unit, project_id: string, boxes: BoxToWrite[]): void {
  for (const box of boxes) {
    if (box.owner_turn_id === undefined) continue;
    unit.frame(project_id, {
      kind: "box",
      id: box.box_id,
      rev: 1,
      box_kind: box.kind,
      owner_turn_id: box.owner_turn_id,
      length: box.length,
      token_sum: box.token_sum,
    });
  }
}
