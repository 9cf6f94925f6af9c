// Writes cards once (K3): the same id with the same content is a replay and returns the stored card; with other content it is
// a conflict. One statement, whatever the number of cards.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { CARD_COLUMNS, type CardRow, toCard } from "./card-row";
import { type AuthoredCard, type DraftInput, draftCard } from "./draft-card";

export type InsertCardsInput = Pick<DraftInput, "project_id" | "metadata" | "bad_text"> & { cards: AuthoredCard[] };

/** `born`: the ids that were not there before, and were stored with `born_box` as their first box. */
export type StoredFor = { cards: Card[]; born: ReadonlySet<string> };

/** In input order. conflict names the id; bad_request names the path of a value that cannot be stored. */
export const insertCards = async (unit: Unit, input: InsertCardsInput): Promise<Card[]> =>
  (await insertCardsFor(unit, input)).cards;

/** For a box that they are put into in the same unit. */
export async function insertCardsFor(unit: Unit, input: InsertCardsInput & { born_box?: string }): Promise<StoredFor> {
  const { project_id, cards, born_box } = input;
  const drafts = await draftCards(unit, input);
  return storeFor(unit, { project_id, drafts, are_minted: isMinted(cards), born_box });
}

/** In input order; for a box that stores them with itself. bad_request names the path of a value that cannot be stored. */
export async function draftCards(unit: Pick<Unit, "kernel">, input: InsertCardsInput): Promise<Card[]> {
  const { project_id, metadata, bad_text } = input;
  const drafts: Card[] = [];
  let tokens = 0;
  for (const [i, card] of input.cards.entries()) {
    const draft = draftCard(unit.kernel, { project_id, metadata, bad_text, card, path: `cards.${i}` });
    drafts.push(draft);
    tokens += draft.token_count;
    if (tokens < BREATH_TOKENS) continue;
    tokens = 0;
    await new Promise((done) => setImmediate(done));
  }
  return drafts;
}

/** Counting this many tokens takes at most a tenth of a second; then other work gets its turn. A few cards never wait. */
const BREATH_TOKENS = 20_000;

/** They cannot exist yet: no id was given, and none is the result of a call, which may also refer to files. */
export const isMinted = (cards: readonly Pick<AuthoredCard, "card_id" | "type" | "content">[]): boolean =>
  cards.every((card) => card.card_id === undefined && card.type !== "tool.result" && filesOf(card).length === 0);

const filesOf = ({ content }: Pick<Card, "content"> | Pick<AuthoredCard, "content">): string[] =>
  typeof content === "object" && content?.kind === "tool_result"
    ? (content.artifacts ?? []).map(({ sha256 }) => sha256)
    : [];

export const cardRows = (drafts: string) => `
    INSERT INTO cards (tenant_id, card_id, content, tool_calls, tool_call_id, ttl_seconds, expires_at, metadata, content_hash, token_count,
      born_box)
    SELECT $1, card_id, content, tool_calls, tool_call_id, ttl_seconds, now() + make_interval(secs => ttl_seconds),
      metadata, content_hash, token_count, born_box
    FROM jsonb_to_recordset(${drafts}::jsonb) AS g(card_id text, content jsonb, tool_calls jsonb, tool_call_id text,
      ttl_seconds int, metadata jsonb, content_hash text, token_count int, born_box text)`;

// The conflict clause names no key, so that a second tool.result of one call is caught by its own index without aborting the
// unit.
const STORE = `${cardRows("$2")} ON CONFLICT DO NOTHING RETURNING card_id, created_at`;
// With the clause, each row writes one more WAL record.
const STORE_MINTED = `${cardRows("$2")} RETURNING card_id, created_at`;

/** The part of a draft that is stored; the rest comes from its metadata or the database. */
export const rowOf = (draft: Card, born_box?: string) => ({
  card_id: draft.card_id,
  content: draft.content,
  tool_calls: draft.tool_calls,
  tool_call_id: draft.tool_call_id,
  ttl_seconds: draft.ttl_seconds,
  metadata: draft.metadata,
  content_hash: draft.content_hash,
  token_count: draft.token_count,
  born_box,
});

const STORED = `SELECT ${CARD_COLUMNS} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY($2)`;

// Files that a card refers to are there until the unit ends: with their last card, somebody may be deleting them now.
const HOLD = `
  SELECT 1 FROM resource.artifacts WHERE project_id = $1 AND sha256 = ANY ($2::text[]) ORDER BY sha256 FOR KEY SHARE`;

export type StoreCardsInput = {
  project_id: string;
  drafts: Card[];
  /** All ids were created for these drafts and none is a tool.result, so none can exist yet. */
  are_minted?: boolean;
};

/** Stores drafts; a draft with an existing id must equal the stored card. */
export const storeCards = async (unit: Unit, input: StoreCardsInput): Promise<Card[]> =>
  (await storeFor(unit, input)).cards;

/** Says too which were not there before; its first statement is sent at once. */
export async function storeFor(unit: Unit, input: StoreCardsInput & { born_box?: string }): Promise<StoredFor> {
  const { project_id, drafts, born_box } = input;
  if (drafts.length === 0) return { cards: [], born: new Set() };
  const byId = new Map<string, Card>();
  for (const draft of drafts) {
    const twin = byId.get(draft.card_id);
    if (twin) refuseOther(draft, twin);
    else byId.set(draft.card_id, draft);
  }
  const sha256s = [...new Set([...byId.values()].flatMap(filesOf))];
  if (sha256s.length > 0) await unit.query("cards_hold_artifacts", HOLD, [project_id, sha256s]);
  const [name, sql] = input.are_minted ? ["cards_store_minted", STORE_MINTED] : ["cards_store", STORE];
  const fresh = await unit.query<{ card_id: string; created_at: string }>(name, sql, [
    project_id,
    JSON.stringify(Array.from(byId.values(), (draft) => rowOf(draft, born_box))),
  ]);
  const stored = new Map(fresh.map((row) => [row.card_id, row.created_at]));
  const cards = new Map<string, Card>();
  for (const [id, draft] of byId) {
    const created_at = stored.get(id);
    if (created_at !== undefined) cards.set(id, { ...draft, created_at });
  }
  const known = [...byId.keys()].filter((id) => !cards.has(id));
  if (known.length > 0) await addKnown(unit, project_id, known, byId, cards);
  return {
    cards: drafts.flatMap((draft) => cards.get(draft.card_id) ?? []),
    born: new Set(born_box === undefined ? [] : stored.keys()),
  };
}

async function addKnown(
  unit: Unit,
  projectId: string,
  ids: string[],
  byId: Map<string, Card>,
  cards: Map<string, Card>,
) {
  const rows = await unit.query<CardRow>("cards_stored", STORED, [projectId, ids]);
  for (const row of rows) {
    const draft = byId.get(row.card_id);
    if (draft) refuseOther(draft, row);
    cards.set(row.card_id, toCard(row));
  }
  const lost = ids.find((id) => !cards.has(id));
  if (lost !== undefined)
    throw new KernelError(
      "conflict",
      `tool call ${byId.get(lost)?.tool_call_id} already has a result; a call has only one`,
      { tool_call_id: byId.get(lost)?.tool_call_id },
    );
}

function refuseOther(draft: Card, known: Pick<Card, "content_hash">): void {
  if (draft.content_hash === known.content_hash) return;
  throw new KernelError(
    "conflict",
    `card ${draft.card_id} exists with other content; cards never change, use a new id`,
    {
      card_id: draft.card_id,
    },
  );
}
