// Fills the search table after the fact, in the order of age and in bounded batches: a text index on the cards themselves
// makes every insert many times its log. Called by the watchdog; two at once do no harm.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

/** Words far down in a very long card are not found; the lexemes of one card must stay under a megabyte. */
const CHARS_MAX = 100_000;

/** Text of `cards c` that is searched. */
export const SEARCH_TEXT = `left(coalesce(c.content ->> 'text', c.content::text) || coalesce(' ' || c.tool_calls::text, ''), ${CHARS_MAX})`;

// A unit that was open for longer than this when it committed would leave cards behind that only a scan would find.
const LATE = "interval '10 minutes'";

/** Cards older than this are indexed, all of them. */
export const UNINDEXED_FROM = (project: string): string =>
  `coalesce((SELECT max(s.created_at) - ${LATE} FROM card_search s WHERE s.tenant_id = ${project}), '-infinity')`;

const INDEX = `
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
  SELECT c.tenant_id, c.card_id, to_tsvector('simple', ${SEARCH_TEXT}), c.created_at
  FROM projects p
  CROSS JOIN LATERAL (
    SELECT * FROM cards c
    WHERE c.tenant_id = p.project_id AND c.created_at >= ${UNINDEXED_FROM("p.project_id")}
      AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
      AND NOT EXISTS (SELECT 1 FROM card_search s WHERE s.tenant_id = c.tenant_id AND s.card_id = c.card_id)
    ORDER BY c.created_at, c.card_id
    LIMIT $1
  ) c
  LIMIT $1
  ON CONFLICT DO NOTHING`;

/** How many were indexed; less than `limit` = nothing is left. */
export async function indexCards(kernel: Kernel, input: { limit?: number } = {}): Promise<{ indexed: number }> {
  const limit = input.limit ?? 500;
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<{ n: number }>(
      "cards_index",
      `WITH done AS (${INDEX} RETURNING 1) SELECT count(*)::int AS n FROM done`,
      [limit],
    );
    return { indexed: rows[0]?.n ?? 0 };
  });
}
