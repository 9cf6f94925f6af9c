// Which boxes hold a card, asked in one way by everybody: full chunks are found by their ids, tails by the ids they carry from
// elsewhere, the box that a card was written for by the card itself, which is why that box is in no index for it, and boxes that
// begin with one of these by naming it as their base.

/** The ids of a chunk that is stored, not of what a base lends. */
const idsAt = (box: string, n: string): string => `(
        SELECT held_s.card_ids FROM box_chunks held_s WHERE held_s.tenant_id = $1 AND held_s.box_id = ${box} AND held_s.n = ${n}
        UNION ALL
        SELECT held_s.tail FROM card_boxes held_s WHERE held_s.tenant_id = $1 AND held_s.box_id = ${box} AND held_s.chunk_count = ${n})`;

/** Boxes whose base is `box`. */
const lentBy = (box: string): string => `(SELECT held_x.box_id, held_x.base_len FROM card_boxes held_x
      WHERE (held_x.tenant_id = $1) IS TRUE AND held_x.base_box = ${box} OFFSET 0)`;

/**
 * A part `lent` of a WITH RECURSIVE: `(box_id, n, start, stored_in, shown)`, from `holding`, a part with `box_id, n, start` of stored chunks
 * that hold one of `ids`. A box shows the first cards of its base's last chunk only: `shown` of them. Whatever has such a box as its
 * base shows as many, as long as it names that chunk at all: while a run is deleted, boxes name less and less (deletion/lay-lent).
 */
export const lentSql = (holding: string, ids: string): string => `lent AS (
    SELECT held_l.box_id, held_h.n, held_h.start, held_h.box_id AS stored_in, held_l.base_len - held_h.start AS shown, 1 AS depth
    FROM ${holding} held_h CROSS JOIN LATERAL ${lentBy("held_h.box_id")} held_l
    WHERE held_l.base_len >= held_h.start + 64 OR held_l.base_len > held_h.start
      AND (SELECT (held_i.card_ids)[:held_l.base_len - held_h.start] && ${ids} FROM ${idsAt("held_h.box_id", "held_h.n")} held_i)
    UNION ALL
    SELECT held_m.box_id, lent.n, lent.start, lent.stored_in, lent.shown, lent.depth + 1
    FROM lent CROSS JOIN LATERAL ${lentBy("lent.box_id")} held_m
    WHERE lent.depth < 4 AND held_m.base_len > lent.start
  )`;

/** Those of `$2` that a row of `lent` shows. */
export const shownIn = (lent: string): string => `(
      SELECT held_u.id FROM ${idsAt(`${lent}.stored_in`, `${lent}.n`)} held_i
      CROSS JOIN LATERAL unnest((held_i.card_ids)[:${lent}.shown]) AS held_u(id) WHERE held_u.id = ANY ($2::text[]))`;

/**
 * Chunks that hold one of `ids`, a list of text: `(box_id, n)`, each once. $1 is the project. MATERIALIZED and IS TRUE, because told
 * to stop at the first one, or given the project's key, the planner read all boxes of the project. Names within have their prefix, so
 * that `ids` may be a column of any table outside: with a `c` of its own, the `c.card_id` of a caller was every card of the project.
 */
export const heldIn = (ids: string): string => `(
  WITH RECURSIVE holding AS MATERIALIZED (
    SELECT held_k.box_id, held_k.n, held_k.start FROM box_chunks held_k WHERE (held_k.tenant_id = $1) IS TRUE AND held_k.card_ids && ${ids}
    UNION ALL
    SELECT held_b.box_id, held_b.chunk_count, held_b.length - cardinality(held_b.tail)
    FROM card_boxes held_b WHERE (held_b.tenant_id = $1) IS TRUE AND held_b.carried && ${ids}
    UNION ALL
    SELECT held_b.box_id, held_b.chunk_count, held_b.start FROM (
      SELECT held_c.born_box, array_agg(held_c.card_id) AS own FROM cards held_c
      WHERE held_c.tenant_id = $1 AND held_c.card_id = ANY (${ids}) AND held_c.born_box IS NOT NULL GROUP BY held_c.born_box) held_o
    CROSS JOIN LATERAL (SELECT held_t.box_id, held_t.chunk_count, held_t.length - cardinality(held_t.tail) AS start
      FROM card_boxes held_t WHERE held_t.tenant_id = $1 AND held_t.box_id = held_o.born_box
      AND held_t.tail && held_o.own AND (held_t.carried && ${ids}) IS NOT TRUE OFFSET 0) held_b
  ), ${lentSql("holding", ids)}
  SELECT holding.box_id, holding.n FROM holding UNION ALL SELECT lent.box_id, lent.n FROM lent)`;
