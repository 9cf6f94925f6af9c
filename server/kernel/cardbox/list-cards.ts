// Cards, newest first, by facet and by text. Search finds words; cards that are not indexed yet are scanned.
import type { Card, Role } from "@/server/contract/card";
import type { Page } from "@/server/contract/page";
import { type Reader, read, UNPREPARED } from "../reader";
import { CARD_COLUMNS, type CardRow, STORED_CARD, toCard } from "./card-row";
import { UNINDEXED_FROM } from "./index-cards";
import { AT, type Place } from "./page-cursor";
import { type Filter, type WalkPieces, walk } from "./walk";
import { inOrder, matchesText, WORDS, wordsOf } from "./words-of-card";

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

// By its cards' ids first: few cards are of one turn, and walked from the newest on they were the last of a million.
const OF_TURN = `c.card_id = ANY (ARRAY(
  SELECT k.card_id FROM cards k WHERE k.tenant_id = $1 AND k.metadata ->> 'agent_turn_id' = ?))`;

const LIST = (p: WalkPieces) => `
  SELECT ${CARD_COLUMNS}, ${AT("c.created_at")} FROM (
    SELECT ${STORED_CARD} FROM cards c WHERE c.tenant_id = $1 AND ${p.within}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${p.window}
  ) c WHERE ${p.where} ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT c.card_id AS id, ${AT("c.created_at")} FROM (SELECT c.card_id, c.created_at FROM cards c WHERE c.tenant_id = $1 AND ${p.within}
    ORDER BY c.created_at DESC, c.card_id DESC OFFSET ${p.window} - 1 LIMIT 2) c ORDER BY c.created_at DESC, c.card_id DESC`;

/** Above this many hits, walking the cards from the newest on is faster than collecting and sorting the hits. */
const COMMON_MIN = 2000;
/** Of a query that needs places the index gives more hits than there are, and each of a page is looked at. */
const COMMON_PLACED_MIN = 20_000;

const ASKED = "websearch_to_tsquery('simple', $2)";
const COUNT = `
  SELECT count(*)::int AS n, state.needs_places(${ASKED}) AS needs_places FROM (
    SELECT 1 FROM card_search s WHERE s.tenant_id = $1 AND s.body @@ ${wordsOf(ASKED)}
    LIMIT CASE WHEN state.needs_places(${ASKED}) THEN ${COMMON_PLACED_MIN} ELSE ${COMMON_MIN} END) hits`;

const ALIVE = "c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())";
const TERMS = "websearch_to_tsquery('simple', ?)";
/** Cards that the text index has not taken in yet: what is behind them is found once it has. */
const FRESH_MAX = 2_000;
/**
 * What the text index has not taken in yet is read card by card. Each is looked up in the index by its key: as NOT EXISTS, the
 * whole index was read beside it.
 */
const FRESH = `(SELECT ARRAY(SELECT c.card_id FROM (
  SELECT c.card_id, c.content, c.tool_calls FROM cards c
  WHERE c.tenant_id = $1 AND c.deleted_at IS NULL AND c.created_at >= ${UNINDEXED_FROM("$1")}
    AND (SELECT s.card_id FROM card_search s WHERE s.tenant_id = $1 AND s.card_id = c.card_id) IS NULL
  ORDER BY c.created_at DESC LIMIT ${FRESH_MAX}) c WHERE ${matchesText(TERMS)}))`;
const INDEXED = `(SELECT ARRAY(SELECT s.card_id FROM card_search s WHERE s.tenant_id = $1 AND s.body @@ ${wordsOf(TERMS)}))`;
const RARE = `c.card_id = ANY (${FRESH} || ${INDEXED}) AND ${ALIVE}`;
// Asked card by card of those that are walked. OFFSET 0 keeps the planner from reading the text index for it.
const COMMON = `${ALIVE} AND coalesce((SELECT s.body FROM card_search s WHERE s.tenant_id = $1 AND s.card_id = c.card_id OFFSET 0),
  ${WORDS}) @@ ${wordsOf(TERMS)}`;
// CASE: by itself, Postgres would take apart the texts of cards that do not have the words.
const COMMON_IN_ORDER = `CASE WHEN ${COMMON} THEN ${inOrder(TERMS)} ELSE false END`;
const RARE_IN_ORDER = inOrder(TERMS);

/**
 * bad_request for a cursor of another project. Deleted and expired cards are listed as tombstones and match no search. What has no
 * index is asked of so many cards, so that a page may have fewer than asked for, with a cursor.
 */
export async function listCards(reader: Reader, query: CardQuery): Promise<Page<Card>> {
  const { project_id, limit = 50 } = query;
  const terms = query.q?.trim() || undefined;
  const hits = terms === undefined ? NO_TERMS : await countHits(reader, project_id, terms);
  const isCommon = hits.n >= (hits.needs_places ? COMMON_PLACED_MIN : COMMON_MIN);
  const { rows, next_cursor } = await walk<CardRow & { at: string }>({
    project_id,
    limit,
    cursor: query.cursor,
    time: "c.created_at",
    id: "c.card_id",
    idOf: (card) => card.card_id,
    keyed: [
      [OF_TURN, query.agent_turn_id],
      ["c.created_at > ?::timestamptz", query.created_after],
      ["c.created_at < ?::timestamptz", query.created_before],
      [RARE, ...(isCommon ? [undefined] : [terms, terms])],
    ],
    asked: [
      ["c.metadata ->> 'type' = ?", query.type],
      ["c.metadata ->> 'role' = ?", query.role],
      ["c.metadata ->> 'author_id' = ?", query.author_id],
      ["c.metadata ->> 'trace_id' = ?", query.trace_id],
      ...textFilters(isCommon, hits.needs_places, terms),
    ],
    rows: (pieces, values) => read<CardRow & { at: string }>(reader, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(reader, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(toCard), next_cursor };
}

/** Asked card by card, so that no more texts are taken apart than a page needs. */
function textFilters(isCommon: boolean, needs_places: boolean, terms: string | undefined): Filter[] {
  if (isCommon) return [needs_places ? [COMMON_IN_ORDER, terms, terms, terms] : [COMMON, terms]];
  return needs_places ? [[RARE_IN_ORDER, terms, terms]] : [];
}

/** `needs_places`: it asks for words side by side. */
type Hits = { n: number; needs_places: boolean };
const NO_TERMS: Hits = { n: 0, needs_places: false };

async function countHits(reader: Reader, project_id: string, terms: string): Promise<Hits> {
  const [hits] = await read<Hits>(reader, "cards_hits", COUNT, [project_id, terms]);
  return hits ?? NO_TERMS;
}
