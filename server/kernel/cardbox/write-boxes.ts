// The one statement that writes boxes, whatever their number and length: chunks of other boxes are copied inside the
// database, only what is new travels to it.
import type { BoxKind } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import type { Chunk } from "./box-chunks";
import { storeSql } from "./insert-cards";

/** Chunks `from_n`..`to_n` of another box as they are. Never a box's last chunk: that one may still grow. */
export type ChunkCopy = {
  source_box_id: string;
  from_n: number;
  to_n: number;
  /** The place in the source behind the last card copied. */
  upto: number;
  n_shift: number;
  start_shift: number;
};

export type BoxToWrite = {
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

// LATERAL: planned on tables not analysed yet, a plain join read and hashed every chunk of the project (48 ms instead of 8
// for 10,000 cards beside 20,000 chunks), and a generic plan keeps to that. Sizes come of the starts: to count its ids, a
// chunk has to be unpacked.
const writeSql = (before: string, made: string) => `
  WITH ${before} fresh AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id, length, token_sum, consist, has_repeats, receipt)
    SELECT $1, g.* FROM jsonb_to_recordset($2::jsonb) AS g(box_id text, kind text, owner_agent_id text, owner_turn_id text,
      length int, token_sum bigint, consist text, has_repeats boolean, receipt jsonb)
    ON CONFLICT DO NOTHING
    RETURNING box_id, rev
  ), written AS (
    INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, g.* FROM fresh JOIN jsonb_to_recordset($3::jsonb) AS g(box_id text, n int, start int, card_ids text[],
      origins jsonb, tokens int, has_untravelled boolean) USING (box_id)
    UNION ALL
    SELECT $1, g.box_id, c.n + g.n_shift, c.start + g.start_shift, c.card_ids,
      jsonb_build_array(jsonb_build_array(c.size, 'box:' || g.source_box_id)), c.tokens, c.has_untravelled
    FROM fresh JOIN jsonb_to_recordset($4::jsonb) AS g(box_id text, source_box_id text, from_n int, to_n int, upto int,
      n_shift int, start_shift int) USING (box_id)
    CROSS JOIN LATERAL (SELECT *, lead(start, 1, g.upto) OVER (ORDER BY n) - start AS size FROM card_box_chunks
      WHERE tenant_id = $1 AND box_id = g.source_box_id AND n BETWEEN g.from_n AND g.to_n) c
  )
  SELECT box_id, rev, ${made} AS cards FROM fresh`;
const WRITE = writeSql("", "0");
const WRITE_BOTH = writeSql(`made AS (${storeSql("$5")}),`, "(SELECT count(*)::int FROM made)");

export type BoxesToWrite = {
  project_id: string;
  boxes: BoxToWrite[];
  /** Cards that go into them, of ids never used before; others are stored by `storeCards` first. */
  cards?: Card[];
};

/** conflict names a box id that is taken. A box with an owner turn is announced by a frame. */
export async function writeBoxes(unit: Unit, { project_id, boxes, cards = [] }: BoxesToWrite): Promise<void> {
  if (boxes.length === 0) return;
  const [name, sql] = cards.length > 0 ? ["boxes_write_both", WRITE_BOTH] : ["boxes_write", WRITE];
  const rows = await unit.query<{ box_id: string; rev: number; cards: number }>(name, sql, [
    project_id,
    JSON.stringify(boxes.map(({ chunks, copies, ...row }) => row)),
    JSON.stringify(boxes.flatMap((b) => b.chunks.map((c) => ({ box_id: b.box_id, ...c })))),
    JSON.stringify(boxes.flatMap((b) => b.copies.map((c) => ({ box_id: b.box_id, ...c })))),
    ...(cards.length > 0 ? [JSON.stringify(cards)] : []),
  ]);
  if (rows.some((row) => row.cards < cards.length))
    throw new KernelError(
      "conflict",
      "a new card has the id of one that is there; ids of new cards are never used twice",
    );
  const revs = new Map(rows.map((r) => [r.box_id, r.rev]));
  for (const box of boxes) {
    const rev = revs.get(box.box_id);
    if (rev === undefined)
      throw new KernelError("conflict", `box ${box.box_id} exists; append to it or leave box_id out`, {
        box_id: box.box_id,
      });
    if (box.owner_turn_id === undefined) continue;
    unit.frame(project_id, {
      kind: "box",
      id: box.box_id,
      rev,
      box_kind: box.kind,
      owner_turn_id: box.owner_turn_id,
      length: box.length,
      token_sum: box.token_sum,
    });
  }
}
