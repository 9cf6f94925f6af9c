// Cards of a run that was brought along, with their times. A card that is in the project already must be the same one.
import type { CardLine } from "@/server/contract/bundle/store-lines";
import { KernelError } from "@/server/contract/errors";
import { indexGiven } from "../cardbox/index-cards";
import { partsOf } from "./parts-of";
import { beingDeleted, taken, type Writing } from "./writing";

// Without content there is nothing to read: a text that says nothing keeps the column's rule.
const STORE = `
  INSERT INTO cards (tenant_id, card_id, content, tool_calls, tool_call_id, ttl_seconds, expires_at, deleted_at, metadata,
    content_hash, token_count, created_at)
  SELECT $1, g.card_id, coalesce(g.content, '{"kind": "text", "text": ""}'), g.tool_calls, g.tool_call_id, g.ttl_seconds,
    g.expires_at, g.deleted_at, g.metadata, g.content_hash, g.token_count, g.created_at
  FROM jsonb_to_recordset($2::jsonb) AS g(card_id text, content jsonb, tool_calls jsonb, tool_call_id text, ttl_seconds int,
    expires_at timestamptz, deleted_at timestamptz, metadata jsonb, content_hash text, token_count int, created_at timestamptz)
  ON CONFLICT DO NOTHING RETURNING card_id`;
// Whoever deletes a run locks its cards before it asks who holds them, and then takes the content of those that nobody does.
const KNOWN =
  "SELECT card_id, content_hash FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2) ORDER BY card_id FOR KEY SHARE";
const LEAVING = `
  SELECT g.card_id, g.deletion_id FROM state.deletion_cards g WHERE g.project_id = $1 AND g.card_id = ANY ($2) LIMIT 1`;

/** How many were there. */
export async function writeCards(writing: Writing): Promise<number> {
  let known = 0;
  for await (const part of partsOf<CardLine>(writing.source.lines("cards.jsonl"))) known += await write(writing, part);
  if (writing.ended.cards.length > 0) known += await write(writing, writing.ended.cards);
  return known;
}

async function write({ unit, project_id }: Writing, cards: CardLine[]): Promise<number> {
  const rows = cards.map((card) => ({
    ...card,
    tool_calls: card.tool_calls ?? undefined,
    content: card.content ?? undefined,
  }));
  const made = await unit.query<{ card_id: string }>("bundle_cards_add", STORE, [project_id, JSON.stringify(rows)]);
  const fresh = new Set(made.map((row) => row.card_id));
  const others = cards.filter((card) => !fresh.has(card.card_id));
  if (others.length > 0) await compare({ unit, project_id }, others);
  await indexGiven(unit, { project_id, card_ids: [...fresh] });
  return others.length;
}

type Leaving = { card_id: string; deletion_id: string };

async function compare({ unit, project_id }: Pick<Writing, "unit" | "project_id">, cards: CardLine[]): Promise<void> {
  const ids = cards.map((card) => card.card_id);
  const rows = await unit.query<{ card_id: string; content_hash: string }>("bundle_cards_known", KNOWN, [
    project_id,
    ids,
  ]);
  const [leaving] = await unit.query<Leaving>("bundle_cards_leaving", LEAVING, [project_id, ids]);
  if (leaving) throw beingDeleted("card", leaving.card_id, leaving.deletion_id);
  const hashes = new Map(rows.map((row) => [row.card_id, row.content_hash]));
  for (const card of cards) {
    const hash = hashes.get(card.card_id);
    if (hash === card.content_hash) continue;
    if (hash !== undefined) throw taken("card", card.card_id);
    // It was there, and went while its lock was waited for.
    if (!card.tool_call_id) throw beingDeleted("card", card.card_id);
    throw new KernelError(
      "conflict",
      `tool call ${card.tool_call_id} has another result in the project; a call has only one. Import into another project`,
      { tool_call_id: card.tool_call_id },
    );
  }
}
