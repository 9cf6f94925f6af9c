// Boxes and cards of a run. The content of a card that was deleted or has expired leaves the database no more than on a page.
import type { BoxLine, CardLine } from "@/server/contract/bundle/store-lines";
import { CARD_COLUMNS, SHOWN_CONTENT } from "../cardbox/card-row";
import { type Reader, read } from "../reader";
import { usSql } from "./columns";
import { addAll, type Gathered, groupBy, pagesOf, sorted } from "./gathered";
import type { Piece, RunFacts, RunKey } from "./piece";

const BOXES_PAGE = 50;
const CARDS_PAGE = 64;

const OWNED = `
  SELECT b.box_id FROM card_boxes b WHERE b.tenant_id = $1 AND b.owner_turn_id = ANY ($2) ORDER BY b.box_id COLLATE "C"`;
const BOXES = `
  SELECT b.box_id, b.kind, b.owner_agent_id, b.owner_turn_id, b.receipt, ${usSql("b.created_at")} AS created_at
  FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = ANY ($2) ORDER BY b.box_id COLLATE "C"`;
const CHUNKS = `
  SELECT k.box_id, k.card_ids, k.origins FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = ANY ($2)
  ORDER BY k.box_id COLLATE "C", k.n`;
const CARDS = `
  SELECT q.card_id, q.content, q.gone, q.tool_calls, q.tool_call_id, q.ttl_seconds, q.metadata, q.content_hash, q.token_count,
    ${usSql("k.created_at")} AS created_at, ${usSql("k.expires_at")} AS expires_at, ${usSql("k.deleted_at")} AS deleted_at
  FROM (SELECT ${CARD_COLUMNS} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2)) AS q
  JOIN cards k ON k.tenant_id = $1 AND k.card_id = q.card_id ORDER BY q.card_id COLLATE "C"`;
const FILES = `
  SELECT DISTINCT r ->> 'sha256' AS sha256 FROM cards c, jsonb_array_elements((${SHOWN_CONTENT}) -> 'artifacts') AS r
  WHERE c.tenant_id = $1 AND c.card_id = ANY ($2) AND c.content ? 'artifacts' AND r ->> 'sha256' IS NOT NULL`;

type BoxRow = Omit<BoxLine, "card_ids" | "origins">;
type ChunkRow = { box_id: string; card_ids: string[]; origins: [number, string][] };

export async function* readStore(
  reader: Reader,
  { project_id }: RunKey,
  gathered: Gathered,
  facts: RunFacts,
): AsyncGenerator<Piece> {
  for (const turns of pagesOf(gathered.turns, BOXES_PAGE))
    for (const { box_id } of await read<{ box_id: string }>(reader, "bundle_owned", OWNED, [project_id, turns]))
      gathered.boxes.add(box_id);
  const [turns, agents] = [new Set(gathered.turns), gathered.agents];
  for (const ids of pagesOf(sorted(gathered.boxes), BOXES_PAGE)) {
    const rows = await read<BoxRow>(reader, "bundle_boxes", BOXES, [project_id, ids]);
    const chunks = await read<ChunkRow>(reader, "bundle_chunks", CHUNKS, [project_id, ids]);
    const chunksOf = groupBy(chunks, (chunk) => chunk.box_id);
    for (const row of rows) {
      const own = chunksOf.get(row.box_id) ?? [];
      const card_ids = own.flatMap((chunk) => chunk.card_ids);
      addAll(gathered.cards, card_ids);
      const owner_agent_id = agents.has(row.owner_agent_id ?? "") ? row.owner_agent_id : null;
      const owner_turn_id = turns.has(row.owner_turn_id ?? "") ? row.owner_turn_id : null;
      yield { part: "boxes.jsonl", line: { ...row, owner_agent_id, owner_turn_id, card_ids, origins: joined(own) } };
    }
  }
  yield* readCards(reader, project_id, gathered, facts);
}

async function* readCards(
  reader: Reader,
  project_id: string,
  gathered: Gathered,
  facts: RunFacts,
): AsyncGenerator<Piece> {
  let gone = 0;
  for (const ids of pagesOf(sorted(gathered.cards), CARDS_PAGE)) {
    const rows = await read<CardLine>(reader, "bundle_cards", CARDS, [project_id, ids]);
    const files = await read<{ sha256: string }>(reader, "bundle_card_files", FILES, [project_id, ids]);
    addAll(
      gathered.files,
      files.map((file) => file.sha256),
    );
    for (const line of rows) {
      if (line.gone) gone++;
      yield { part: "cards.jsonl", line };
    }
  }
  const text = "cards whose content was deleted or has expired: the bundle has their places without it";
  if (gone > 0 && !facts.notes.some((note) => note.code === "cards_gone"))
    facts.notes.push({ code: "cards_gone", count: gone, text });
}

/** How boxes are cut into chunks is the database's own. */
function joined(chunks: readonly ChunkRow[]): [number, string][] {
  const runs: [number, string][] = [];
  for (const [count, origin] of chunks.flatMap((chunk) => chunk.origins)) {
    const last = runs.at(-1);
    if (last?.[1] === origin) last[0] += count;
    else runs.push([count, origin]);
  }
  return runs;
}
