// Copies what a box only names, where its base and it do not go together: of a run that is deleted, boxes that stay keep all of their
// cards, and what goes notes each card that it held. From the end of the base to its beginning: what is copied is the box's own
// chunk from then on, and its base so much shorter, so that the box reads the same at every moment.
import type { Unit } from "../unit";
import type { DeletionKey } from "./deletion-row";

// $2 the deletion, $3 so many chunks. Nobody hands over a closed box, so no box begins with one later. IS TRUE: given the project's
// key, the planner read all of its boxes.
const LAY = `
  WITH due AS MATERIALIZED (
    SELECT d.box_id, d.base_len FROM card_boxes b CROSS JOIN LATERAL (
      SELECT x.box_id, x.base_len FROM card_boxes x
      WHERE (x.tenant_id = $1) IS TRUE AND x.base_box = b.box_id AND x.deletion_id IS DISTINCT FROM $2
      UNION ALL
      SELECT b.box_id, b.base_len WHERE b.base_box IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM card_boxes y WHERE y.tenant_id = $1 AND y.box_id = b.base_box AND y.deletion_id = $2)
      OFFSET 0) d
    WHERE b.tenant_id = $1 AND b.deletion_id = $2 LIMIT 1
  ), locked AS MATERIALIZED (
    SELECT x.box_id, d.base_len FROM due d CROSS JOIN LATERAL (
      SELECT x.box_id FROM card_boxes x WHERE x.tenant_id = $1 AND x.box_id = d.box_id FOR UPDATE) x
  ), part AS MATERIALIZED (
    SELECT l.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled FROM locked l CROSS JOIN LATERAL (
      SELECT k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled FROM card_box_chunks k
      WHERE k.tenant_id = $1 AND k.box_id = l.box_id AND k.start < l.base_len ORDER BY k.n DESC LIMIT $3) k
  ), laid AS (
    INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, p.box_id, p.n, p.start, p.card_ids, p.origins, p.tokens, p.has_untravelled FROM part p
  )
  UPDATE card_boxes b SET base_len = nullif(g.start, 0), base_box = CASE WHEN g.start > 0 THEN b.base_box END
  FROM (SELECT l.box_id, l.base_len, coalesce(min(p.start), 0) AS start, count(p.n)::int AS chunks,
      coalesce(sum(cardinality(p.card_ids)), 0)::int AS cards
    FROM locked l LEFT JOIN part p ON p.box_id = l.box_id GROUP BY l.box_id, l.base_len) g
  WHERE b.tenant_id = $1 AND b.box_id = g.box_id
  RETURNING b.box_id, g.chunks, g.cards, (g.base_len - g.start)::int AS named`;

/** `named`: cards of its base from where the chunks begin that were copied. */
type Laid = { box_id: string; chunks: number; cards: number; named: number };

/** How many chunks were copied, at most `chunks`; 0 = nothing is left to copy. */
export async function layLent(unit: Unit, { project_id, deletion_id }: DeletionKey, chunks: number): Promise<number> {
  const [laid] = await unit.query<Laid>("deletion_lay_lent", LAY, [project_id, deletion_id, chunks]);
  if (!laid) return 0;
  // Made shorter all the same, the box would have lost them for good.
  if (laid.cards !== laid.named)
    throw new Error(
      `box ${laid.box_id} of project ${project_id} names ${laid.named} cards of its base, and ${laid.cards} of them are stored: nothing was deleted; run npm run check:db`,
    );
  return laid.chunks;
}
