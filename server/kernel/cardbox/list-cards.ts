// Cards, newest first, by facet and by text. Search finds words; cards that are not indexed yet are scanned.
import type { Card, Role } from "@/server/contract/card";
import type { Page } from "@/server/contract/page";
import { type Reader, read } from "../reader";
import { CARD_COLUMNS, type CardRow, toCard } from "./card-row";
import { SEARCH_TEXT, UNINDEXED_FROM } from "./index-cards";
import { AT, formatPageCursor, parsePageCursor } from "./page-cursor";

export type CardQuery = {
  project_id: string;
  /** Words, "a phrase", -not, or: like a web search. */
  q?: string;
  type?: string;
  role?: Role;
  author_id?: string;
  agent_turn_id?: string;
  trace_id?: string;
  created_after?: string;
  created_before?: string;
  limit?: number;
  cursor?: string;
};

const FILTERS = `
    c.tenant_id = $1 AND ($2::text IS NULL OR c.metadata ->> 'type' = $2) AND ($3::text IS NULL OR c.metadata ->> 'role' = $3)
    AND ($4::text IS NULL OR c.metadata ->> 'author_id' = $4) AND ($5::text IS NULL OR c.metadata ->> 'agent_turn_id' = $5)
    AND ($6::text IS NULL OR c.metadata ->> 'trace_id' = $6)
    AND ($7::timestamptz IS NULL OR c.created_at > $7::timestamptz) AND ($8::timestamptz IS NULL OR c.created_at < $8::timestamptz)
    AND ($9::timestamptz IS NULL OR (c.created_at, c.card_id) < ($9::timestamptz, $10::text))`;

const LIST = `
  SELECT ${CARD_COLUMNS}, ${AT("c.created_at")} FROM cards c
  WHERE ${FILTERS}
  ORDER BY c.created_at DESC, c.card_id DESC LIMIT $11`;

/** Above this many hits, walking the cards from the newest on is faster than collecting and sorting the hits. */
const COMMON_MIN = 2000;

const ALIVE = "c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())";
const TERMS = "websearch_to_tsquery('simple', $12)";
const LATEST = `
  latest AS MATERIALIZED (
    SELECT ${CARD_COLUMNS}, ${AT("c.created_at")} FROM cards c
    WHERE ${FILTERS} AND ${ALIVE} AND c.created_at >= ${UNINDEXED_FROM("$1")}
      AND NOT EXISTS (SELECT 1 FROM card_search s WHERE s.tenant_id = c.tenant_id AND s.card_id = c.card_id)
      AND to_tsvector('simple', ${SEARCH_TEXT}) @@ ${TERMS}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT $11
  )`;

const COUNT = `
  SELECT count(*)::int AS n FROM (
    SELECT 1 FROM card_search s WHERE s.tenant_id = $1 AND s.body @@ websearch_to_tsquery('simple', $2) LIMIT ${COMMON_MIN}) hits`;

const found = (hits: string) => `
  WITH ${LATEST}, ${hits}
  SELECT * FROM (SELECT * FROM latest UNION ALL SELECT * FROM indexed) c
  ORDER BY c.at DESC, c.card_id DESC LIMIT $11`;

const RARE = found(`
  hit AS MATERIALIZED (SELECT s.card_id FROM card_search s WHERE s.tenant_id = $1 AND s.body @@ ${TERMS}),
  indexed AS (
    SELECT ${CARD_COLUMNS}, ${AT("c.created_at")} FROM hit JOIN cards c ON c.tenant_id = $1 AND c.card_id = hit.card_id
    WHERE ${FILTERS} AND ${ALIVE}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT $11
  )`);

// OFFSET 0 keeps the planner from using the text index: the walk by age stops at the end of the page.
const COMMON = found(`
  indexed AS (
    SELECT ${CARD_COLUMNS}, ${AT("c.created_at")} FROM cards c
    CROSS JOIN LATERAL (SELECT s.body FROM card_search s WHERE s.tenant_id = c.tenant_id AND s.card_id = c.card_id OFFSET 0) s
    WHERE ${FILTERS} AND ${ALIVE} AND s.body @@ ${TERMS}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT $11
  )`);

/** bad_request for a cursor of another project. Deleted and expired cards are listed as tombstones and match no search. */
export async function listCards(reader: Reader, query: CardQuery): Promise<Page<Card>> {
  const { project_id, limit = 50, q } = query;
  const after = parsePageCursor(project_id, query.cursor);
  const values = [
    project_id,
    query.type ?? null,
    query.role ?? null,
    query.author_id ?? null,
    query.agent_turn_id ?? null,
    query.trace_id ?? null,
    query.created_after ?? null,
    query.created_before ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ];
  const terms = q?.trim();
  const rows = terms
    ? await search(reader, values, terms)
    : await read<CardRow & { at: string }>(reader, "cards_list", LIST, values);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(toCard),
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.card_id }) }),
  };
}

async function search(reader: Reader, values: unknown[], terms: string): Promise<(CardRow & { at: string })[]> {
  const [count] = await read<{ n: number }>(reader, "cards_hits", COUNT, [values[0], terms]);
  const isCommon = (count?.n ?? 0) >= COMMON_MIN;
  return isCommon
    ? read(reader, "cards_search_common", COMMON, [...values, terms])
    : read(reader, "cards_search_rare", RARE, [...values, terms]);
}
