// Cards by id. Agents read lists in order; programs read sets and need to know what is missing.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { askableIds, type Reader, read } from "../reader";
import type { BoxItem } from "./box-chunks";
import { CARD_COLUMNS, type CardRow, toCard } from "./card-row";

type Ids = { project_id: string; card_ids: readonly (string | null | undefined)[] };

const GET = `SELECT ${CARD_COLUMNS} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY($2)`;

/** Input order and repeats are kept; missing and empty ids are skipped. */
export async function getCards(reader: Reader, input: Ids): Promise<Card[]> {
  const found = await byId(reader, input);
  return input.card_ids.flatMap((id) => found.get(id ?? "") ?? []);
}

/** not_found for an unknown card, and also for one of another project. */
export async function getCard(reader: Reader, input: { project_id: string; card_id: string }): Promise<Card> {
  const [card] = await getCards(reader, { project_id: input.project_id, card_ids: [input.card_id] });
  if (!card) throw new KernelError("not_found", `card ${input.card_id} not found`, { card_id: input.card_id });
  return card;
}

export const BATCH_MAX = 100;

/** Each card once, in request order. bad_request above 100 different ids. */
export async function batchCards(reader: Reader, input: Ids): Promise<{ cards: Card[]; missing_ids: string[] }> {
  const ids = [...new Set(input.card_ids.filter((id): id is string => Boolean(id)))];
  if (ids.length > BATCH_MAX)
    throw new KernelError("bad_request", `card_ids exceeds limit ${BATCH_MAX}; ask in several requests`);
  const found = await byId(reader, { project_id: input.project_id, card_ids: ids });
  return { cards: ids.flatMap((id) => found.get(id) ?? []), missing_ids: ids.filter((id) => !found.has(id)) };
}

async function byId(reader: Reader, input: Ids): Promise<Map<string, Card>> {
  const ids = askableIds(input.card_ids);
  if (ids.length === 0) return new Map();
  const rows = await read<CardRow>(reader, "cards_get", GET, [input.project_id, ids]);
  return new Map(rows.map((row) => [row.card_id, toCard(row)]));
}

const ITEMS = `
  SELECT card_id, token_count, metadata ->> 'type' AS type, metadata ->> 'role' AS role
  FROM cards WHERE tenant_id = $1 AND card_id = ANY($2)`;

/** What a new box needs to know about existing cards, without their content. not_found names the missing ones. */
export async function findItems(
  reader: Reader,
  input: { project_id: string; card_ids: readonly string[]; origin: string },
): Promise<BoxItem[]> {
  const rows = await read<Omit<BoxItem, "origin">>(reader, "cards_items", ITEMS, [
    input.project_id,
    askableIds(input.card_ids),
  ]);
  const found = new Map(rows.map((row) => [row.card_id, row]));
  const missing = [...new Set(input.card_ids.filter((id) => !found.has(id)))];
  if (missing.length > 0) throw new KernelError("not_found", `card ${missing[0]} not found`, { missing_ids: missing });
  return input.card_ids.flatMap((id) => {
    const row = found.get(id);
    return row ? { ...row, origin: input.origin } : [];
  });
}
