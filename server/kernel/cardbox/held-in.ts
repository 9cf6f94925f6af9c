// Which boxes hold a card, asked in one way by everybody: full chunks are found by their ids, tails by the ids they carry from
// elsewhere, and the box that a card was written for by the card itself, which is why that box is in no index for it.

/**
 * Chunks that hold one of `ids`, a list of text: `(box_id, n)`, each once. $1 is the project. MATERIALIZED and IS TRUE, because told
 * to stop at the first one, or given the project's key, the planner read all boxes of the project. Names within have their prefix, so
 * that `ids` may be a column of any table outside: with a `c` of its own, the `c.card_id` of a caller was every card of the project.
 */
export const heldIn = (ids: string): string => `(
  WITH holding AS MATERIALIZED (
    SELECT held_k.box_id, held_k.n FROM box_chunks held_k WHERE (held_k.tenant_id = $1) IS TRUE AND held_k.card_ids && ${ids}
    UNION ALL
    SELECT held_b.box_id, held_b.chunk_count FROM card_boxes held_b WHERE (held_b.tenant_id = $1) IS TRUE AND held_b.carried && ${ids}
    UNION ALL
    SELECT held_b.box_id, held_b.chunk_count FROM (
      SELECT held_c.born_box, array_agg(held_c.card_id) AS own FROM cards held_c
      WHERE held_c.tenant_id = $1 AND held_c.card_id = ANY (${ids}) AND held_c.born_box IS NOT NULL GROUP BY held_c.born_box) held_o
    CROSS JOIN LATERAL (SELECT held_t.box_id, held_t.chunk_count FROM card_boxes held_t WHERE held_t.tenant_id = $1 AND held_t.box_id = held_o.born_box
      AND held_t.tail && held_o.own AND (held_t.carried && ${ids}) IS NOT TRUE OFFSET 0) held_b
  ) SELECT holding.box_id, holding.n FROM holding)`;
