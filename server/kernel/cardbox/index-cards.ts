// Fills the search table afterwards, oldest first, in limited batches: a text index on the cards themselves multiplies the
// log of every insert. Called by the watchdog; two at the same time do no harm.
import type { Kernel } from "../kernel";
import { isProjectGone } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import { WORDS } from "./words-of-card";

// A unit that was open for longer than this before its commit could leave cards that only a scan would find.
const LATE = "interval '10 minutes'";

/** All cards older than this are indexed. */
export const UNINDEXED_FROM = (project: string): string =>
  `coalesce((SELECT max(s.created_at) - ${LATE} FROM card_search s WHERE s.tenant_id = ${project}), '-infinity')`;

const indexSql = (which: string) => `
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
  SELECT c.tenant_id, c.card_id, ${WORDS}, c.created_at
  FROM projects p
  CROSS JOIN LATERAL (
    SELECT c.tenant_id, c.card_id, c.content, c.tool_calls, c.created_at FROM cards c
    WHERE c.tenant_id = p.project_id AND c.created_at >= ${UNINDEXED_FROM("p.project_id")}
      AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
      AND NOT EXISTS (SELECT 1 FROM card_search s WHERE s.tenant_id = c.tenant_id AND s.card_id = c.card_id) AND ${which}
    ORDER BY c.created_at, c.card_id
    LIMIT $1
  ) c
  WHERE p.deleting_at IS NULL
  LIMIT $1
  ON CONFLICT DO NOTHING`;

const ONE = `
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
  SELECT c.tenant_id, c.card_id, ${WORDS}, c.created_at FROM cards c
  WHERE c.tenant_id = $1 AND c.card_id = $2 ON CONFLICT DO NOTHING RETURNING 1`;

const GIVEN = `
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
  SELECT c.tenant_id, c.card_id, ${WORDS}, c.created_at FROM cards c
  WHERE c.tenant_id = $1 AND c.card_id = ANY ($2) AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
  ON CONFLICT DO NOTHING`;

/** Cards with times of the past, in the unit that writes them: the watchdog only looks at those newer than what it has indexed. */
export async function indexGiven(unit: Unit, given: { project_id: string; card_ids: string[] }): Promise<void> {
  await unit.query("cards_index_given", GIVEN, [given.project_id, given.card_ids]);
}

/** How many were indexed: 1, or 0 if it is already indexed or deleted. */
export async function indexOne(kernel: Kernel, card: { project_id: string; card_id: string }): Promise<number> {
  return withUnit(
    kernel,
    async (unit) => (await unit.query("card_index", ONE, [card.project_id, card.card_id])).length,
  );
}

/**
 * How many were indexed; fewer than `limit` means that nothing is left. `which`: a condition on `cards c`, written by the
 * caller.
 */
export async function indexCards(
  kernel: Kernel,
  input: { limit?: number; which?: string } = {},
): Promise<{ indexed: number }> {
  try {
    return await indexOnce(kernel, input);
  } catch (error) {
    // Its deletion began between the two looks at it; the next one leaves it out.
    if (!isProjectGone(error)) throw error;
    return indexOnce(kernel, input);
  }
}

async function indexOnce(
  kernel: Kernel,
  { limit = 500, which = "true" }: { limit?: number; which?: string },
): Promise<{ indexed: number }> {
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<{ n: number }>(
      which === "true" ? "cards_index" : "cards_index_some",
      `WITH done AS (${indexSql(which)} RETURNING 1) SELECT count(*)::int AS n FROM done`,
      [limit],
    );
    return { indexed: rows[0]?.n ?? 0 };
  });
}
