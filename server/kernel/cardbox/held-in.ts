// Which boxes hold a card, asked in one way by everybody: full chunks are found by their ids, tails by the ids they carry from
// elsewhere, and the box that a card was written for by the card itself, which is why that box is in no index for it.

/**
 * Chunks that hold one of `ids`, a list of text: `(box_id, n)`, each once. $1 is the project. MATERIALIZED and
 * IS TRUE, because told to stop at the first one, or given the project's key, the planner read all boxes of the project.
 */
export const heldIn = (ids: string): string => `(
  WITH holding AS MATERIALIZED (
    SELECT k.box_id, k.n FROM box_chunks k WHERE (k.tenant_id = $1) IS TRUE AND k.card_ids && ${ids}
    UNION ALL
    SELECT b.box_id, b.chunk_count FROM card_boxes b WHERE (b.tenant_id = $1) IS TRUE AND b.carried && ${ids}
    UNION ALL
    SELECT b.box_id, b.chunk_count FROM (
      SELECT c.born_box, array_agg(c.card_id) AS own FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = ANY (${ids}) AND c.born_box IS NOT NULL GROUP BY c.born_box) o
    CROSS JOIN LATERAL (SELECT b.box_id, b.chunk_count FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = o.born_box AND b.tail && o.own AND (b.carried && ${ids}) IS NOT TRUE OFFSET 0) b
  ) SELECT holding.box_id, holding.n FROM holding)`;
