// Where cards are: the chunks of boxes that hold them. An index gives all places of a card at once, in the order in which they were
// stored; of a card that every request holds, the newest are taken.
import { type Reader, read } from "../reader";
import { lentSql, shownIn } from "./held-in";

export type Place = { box_id: string; n: number; card_id: string };
/** `total` counts chunks, which may hold several of the cards. `looked_at`: there are more than these places are from. */
export type Places = { places: Place[]; total: number; looked_at?: number };

/** Places that are looked at, among full chunks, among tails and among boxes that begin with one of these; and the box that each card was written for. */
const PLACES_MAX = 1_000;
/** Places that are counted. */
const COUNTED_MAX = 100_000;

// The last of what an index gives: all of it, with its ids, took three times as long to read.
const newest = (rows: string) => `(SELECT p.at FROM ${rows} f
      CROSS JOIN LATERAL unnest(f.at[greatest(1, cardinality(f.at) - ${PLACES_MAX - 1}):]) AS p(at))`;

// As heldIn asks it (held-in.ts), but of chunks and tails only where they stand is kept. Ids have no spaces.
const FIND = `
  WITH RECURSIVE of_chunks AS MATERIALIZED (
    SELECT k.ctid AS at, k.box_id, k.n, k.start FROM box_chunks k WHERE k.card_ids && $2::text[] AND k.tenant_id = $1 LIMIT ${COUNTED_MAX + 1}
  ), of_tails AS MATERIALIZED (
    SELECT b.ctid AS at, b.box_id, b.chunk_count, b.length - cardinality(b.tail) AS start FROM card_boxes b
    WHERE b.carried && $2::text[] AND b.tenant_id = $1 LIMIT ${COUNTED_MAX + 1}
  ), full_chunks AS MATERIALIZED (
    SELECT array_agg(f.at) AS at FROM of_chunks f
  ), tails AS MATERIALIZED (
    SELECT array_agg(f.at) AS at FROM of_tails f
  ), born AS MATERIALIZED (
    SELECT b.box_id, b.chunk_count, b.start, c.card_id FROM cards c CROSS JOIN LATERAL (
      SELECT b.box_id, b.chunk_count, b.length - cardinality(b.tail) AS start FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = c.born_box AND c.card_id = ANY (b.tail) AND (b.carried && $2::text[]) IS NOT TRUE OFFSET 0) b
    WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])
  ), holding AS (
    SELECT k.box_id, k.n, k.start FROM of_chunks k UNION ALL SELECT t.box_id, t.chunk_count, t.start FROM of_tails t
    UNION ALL SELECT DISTINCT o.box_id, o.chunk_count, o.start FROM born o
  ), ${lentSql("holding", "$2::text[]")}, heirs AS MATERIALIZED (
    SELECT l.box_id, l.n, l.stored_in, l.shown FROM lent l LIMIT ${COUNTED_MAX + 1}
  ), counted AS (
    SELECT coalesce(cardinality(k.at), 0) AS of_chunks, coalesce(cardinality(t.at), 0) AS of_tails,
      (SELECT count(DISTINCT o.box_id)::int FROM born o) AS of_born, (SELECT count(*)::int FROM heirs) AS of_heirs
    FROM full_chunks k CROSS JOIN tails t
  )
  SELECT n.of_chunks + n.of_tails + n.of_born + n.of_heirs AS total,
    least(n.of_chunks, ${PLACES_MAX}) + least(n.of_tails, ${PLACES_MAX}) + n.of_born + least(n.of_heirs, ${PLACES_MAX}) AS looked,
    ARRAY(SELECT concat_ws(' ', k.box_id, k.n, u.id) FROM box_chunks k JOIN unnest($2::text[]) AS u(id) ON u.id = ANY (k.card_ids)
      WHERE k.tenant_id = $1 AND k.ctid = ANY (ARRAY${newest("full_chunks")}))
    || ARRAY(SELECT concat_ws(' ', b.box_id, b.chunk_count, u.id) FROM card_boxes b JOIN unnest($2::text[]) AS u(id) ON u.id = ANY (b.tail)
      WHERE b.tenant_id = $1 AND b.ctid = ANY (ARRAY${newest("tails")}))
    || ARRAY(SELECT concat_ws(' ', o.box_id, o.chunk_count, o.card_id) FROM born o)
    || ARRAY(SELECT concat_ws(' ', h.box_id, h.n, i.id) FROM (
        SELECT h.box_id, h.n, h.stored_in, h.shown FROM heirs h ORDER BY h.box_id DESC LIMIT ${PLACES_MAX}) h
      CROSS JOIN LATERAL ${shownIn("h")} i) AS places
  FROM counted n`;

export async function findPlaces(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Places> {
  const [row] = await read<{ total: number; looked: number; places: string[] }>(reader, "sightings_places", FIND, [
    project_id,
    card_ids,
  ]);
  if (!row) throw new Error("an aggregate answered no row");
  const places = row.places.map((text): Place => {
    const [box_id = "", n = "", card_id = ""] = text.split(" ");
    return { box_id, n: Number(n), card_id };
  });
  return { places, total: row.total, ...(row.total > row.looked && { looked_at: places.length }) };
}
