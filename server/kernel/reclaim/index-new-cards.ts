// Fills the search table, many cards at a time; a card whose text cannot be indexed does not keep others from being found.
import { indexCards, indexOne } from "../cardbox/index-cards";
import type { Kernel } from "../kernel";
import { allOrEach, failureJoin, IS_TRIED, LIST_MAX, neverFailed, rowKey, type WatchedRow } from "./each-row";

const FRESH = neverFailed("index-cards", "c.tenant_id", "c.card_id");

// Failed cards are looked up separately: newer cards are indexed meanwhile, which hides them from a search by age.
const FAILING = `
  SELECT c.tenant_id AS project_id, ${rowKey("c.card_id")}
  FROM cards c ${failureJoin("index-cards", "c.tenant_id", "c.card_id").replace("LEFT JOIN", "JOIN")}
  WHERE ${IS_TRIED} AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
  ORDER BY f.next_try_at LIMIT ${LIST_MAX}`;
const UNINDEXED = `
  SELECT c.tenant_id AS project_id, c.card_id AS row_key, false AS is_failing FROM cards c
  WHERE c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND ${FRESH}
    AND NOT EXISTS (SELECT 1 FROM card_search s WHERE s.tenant_id = c.tenant_id AND s.card_id = c.card_id)
  ORDER BY c.created_at LIMIT ${LIST_MAX}`;

/** Returns how many were indexed. */
export async function indexNewCards(kernel: Kernel): Promise<number> {
  const list = async (text: string): Promise<WatchedRow[]> => (await kernel.db.pool.query<WatchedRow>(text)).rows;
  return allOrEach<WatchedRow>(kernel, "index-cards", {
    batch: async (brief) => (await indexCards(brief, { which: FRESH })).indexed,
    list: async (onlyFailing) => (onlyFailing ? list(FAILING) : [...(await list(UNINDEXED)), ...(await list(FAILING))]),
    one: ({ project_id, row_key }, brief) => indexOne(brief, { project_id, card_id: row_key }),
  });
}
