// Boxes of a run that was brought along. Their weights are computed from the cards: what a bundle says of them is not asked.
import type { Origin } from "@/server/contract/box";
import type { BoxLine } from "@/server/contract/bundle/store-lines";
import { appendConsist } from "@/server/contract/consist";
import { type BoxItem, type Chunk, chunkItems } from "../cardbox/box-chunks";
import { splitTail, TAIL_COLUMNS, TAIL_FIELDS, type Tail } from "../cardbox/box-tail";
import { groupBy } from "./gathered";
import { partsOf } from "./parts-of";
import { beingDeleted, type HeldCard, taken, type Writing } from "./writing";

const STORE = `
  WITH fresh AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id, length, token_sum, consist, has_repeats,
      receipt, created_at, updated_at, ${TAIL_COLUMNS})
    SELECT $1, g.box_id, g.kind, g.owner_agent_id, g.owner_turn_id, g.length, g.token_sum, g.consist, g.has_repeats, g.receipt,
      g.created_at, g.created_at, ${TAIL_COLUMNS}
    FROM jsonb_to_recordset($2::jsonb) AS g(box_id text, kind text, owner_agent_id text, owner_turn_id text, length int,
      token_sum bigint, consist text, has_repeats boolean, receipt jsonb, created_at timestamptz,
      ${TAIL_FIELDS})
    ON CONFLICT DO NOTHING RETURNING box_id
  ), written AS (
    INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, c.box_id, c.n, c.start, c.card_ids, c.origins, c.tokens, c.has_untravelled
    FROM jsonb_to_recordset($3::jsonb) AS c(box_id text, n int, start int, card_ids text[], origins jsonb, tokens int,
      has_untravelled boolean)
    WHERE c.box_id IN (SELECT box_id FROM fresh)
  )
  SELECT box_id FROM fresh`;
const LEAVING =
  "SELECT box_id, deletion_id FROM card_boxes WHERE tenant_id = $1 AND box_id = ANY ($2) AND deletion_id IS NOT NULL LIMIT 1";
const KNOWN = `
  SELECT k.box_id, k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = ANY ($2) ORDER BY k.box_id, k.n`;

/** How many were there. */
export async function writeBoxes(writing: Writing): Promise<number> {
  let known = 0;
  for await (const part of partsOf<BoxLine>(writing.source.lines("boxes.jsonl"))) known += await write(writing, part);
  if (writing.ended.boxes.length > 0) known += await write(writing, writing.ended.boxes);
  return known;
}

type Laid = BoxLine &
  Tail & { length: number; token_sum: number; consist: string; has_repeats: boolean; chunks: readonly Chunk[] };

async function write({ unit, project_id, cards, ended }: Writing, lines: BoxLine[]): Promise<number> {
  const laid = lines.map((line) => layOut(withEnd(line, ended.appended.get(line.box_id)), cards));
  const made = await unit.query<{ box_id: string }>("bundle_boxes_add", STORE, [
    project_id,
    JSON.stringify(
      laid.map(({ chunks: _c, card_ids: _i, origins: _o, ...row }) => ({ ...row, receipt: row.receipt ?? undefined })),
    ),
    JSON.stringify(laid.flatMap(({ box_id, chunks }) => chunks.map((chunk) => ({ box_id, ...chunk })))),
  ]);
  const fresh = new Set(made.map((row) => row.box_id));
  const others = laid.filter((box) => !fresh.has(box.box_id));
  if (others.length === 0) return 0;
  const ids = others.map((box) => box.box_id);
  const [leaving] = await unit.query<{ box_id: string; deletion_id: string }>("bundle_boxes_leaving", LEAVING, [
    project_id,
    ids,
  ]);
  if (leaving) throw beingDeleted("box", leaving.box_id, leaving.deletion_id);
  const rows = await unit.query<{ box_id: string; card_ids: string[] }>("bundle_boxes_known", KNOWN, [project_id, ids]);
  const chunksOf = groupBy(rows, (row) => row.box_id);
  for (const { box_id, card_ids } of others) {
    const there = (chunksOf.get(box_id) ?? []).flatMap((row) => row.card_ids);
    if (there.length !== card_ids.length || there.some((id, i) => id !== card_ids[i])) throw taken("box", box_id);
  }
  return others.length;
}

const withEnd = (line: BoxLine, appended: string[] = []): BoxLine =>
  appended.length === 0
    ? line
    : {
        ...line,
        card_ids: [...line.card_ids, ...appended],
        origins: [...line.origins, [appended.length, "sys"] as [number, string]],
      };

function layOut(line: BoxLine, cards: ReadonlyMap<string, HeldCard>): Laid {
  const origins = line.origins.flatMap(([count, origin]) => Array<Origin>(count).fill(origin as Origin));
  const items: BoxItem[] = line.card_ids.map((card_id, i) => {
    const card = cards.get(card_id);
    if (!card) throw new Error(`box ${line.box_id} of a checked bundle holds card ${card_id}, which is not in it`);
    return { card_id, ...card, origin: origins[i] ?? ("import" as Origin) };
  });
  let consist = "";
  for (const { role, token_count } of items) consist = appendConsist(consist, [{ role, tokens: token_count }]);
  const { full, tail } = splitTail({ length: items.length, chunks: chunkItems(items) }, () => false);
  return {
    ...line,
    ...tail,
    length: items.length,
    token_sum: items.reduce((sum, item) => sum + item.token_count, 0),
    consist,
    has_repeats: new Set(line.card_ids).size < line.card_ids.length,
    chunks: full,
  };
}
