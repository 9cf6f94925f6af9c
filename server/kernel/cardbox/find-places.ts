// Where cards are: the chunks of boxes that hold them. An index gives all places of a card at once, in the order in which they were
// stored; of a card that every request holds, the newest are taken.
import { type Reader, read } from "../reader";

export type Place = { box_id: string; n: number; card_id: string };
/** `total` counts chunks, which may hold several of the cards. `looked_at`: there are more than these places are from. */
export type Places = { places: Place[]; total: number; looked_at?: number };

/** Places that are looked at, among full chunks and among tails; and the box that each card was written for. */
const PLACES_MAX = 1_000;
/** Places that are counted. */
const COUNTED_MAX = 100_000;

// The last of what an index gives: all of it, with its ids, took three times as long to read.
const newest = (rows: string) => `(SELECT p.at FROM ${rows} f
      CROSS JOIN LATERAL unnest(f.at[greatest(1, cardinality(f.at) - ${PLACES_MAX - 1}):]) AS p(at))`;

// As heldIn asks it (held-in.ts), but of chunks and tails only where they stand is kept. Ids have no spaces.
const FIND = `
  WITH full_chunks AS MATERIALIZED (
    SELECT array_agg(f.at) AS at FROM (SELECT k.ctid AS at FROM box_chunks k
      WHERE k.card_ids && $2::text[] AND k.tenant_id = $1 LIMIT ${COUNTED_MAX + 1}) f
  ), tails AS MATERIALIZED (
    SELECT array_agg(f.at) AS at FROM (SELECT b.ctid AS at FROM card_boxes b
      WHERE b.carried && $2::text[] AND b.tenant_id = $1 LIMIT ${COUNTED_MAX + 1}) f
  ), born AS MATERIALIZED (
    SELECT b.box_id, b.chunk_count, c.card_id FROM cards c CROSS JOIN LATERAL (SELECT b.box_id, b.chunk_count FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = c.born_box AND c.card_id = ANY (b.tail) AND (b.carried && $2::text[]) IS NOT TRUE OFFSET 0) b
    WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])
  ), counted AS (
    SELECT coalesce(cardinality(k.at), 0) AS of_chunks, coalesce(cardinality(t.at), 0) AS of_tails,
      (SELECT count(DISTINCT o.box_id)::int FROM born o) AS of_born FROM full_chunks k CROSS JOIN tails t
  )
  SELECT n.of_chunks + n.of_tails + n.of_born AS total,
    least(n.of_chunks, ${PLACES_MAX}) + least(n.of_tails, ${PLACES_MAX}) + n.of_born AS looked,
    ARRAY(SELECT concat_ws(' ', k.box_id, k.n, u.id) FROM box_chunks k JOIN unnest($2::text[]) AS u(id) ON u.id = ANY (k.card_ids)
      WHERE k.tenant_id = $1 AND k.ctid = ANY (ARRAY${newest("full_chunks")}))
    || ARRAY(SELECT concat_ws(' ', b.box_id, b.chunk_count, u.id) FROM card_boxes b JOIN unnest($2::text[]) AS u(id) ON u.id = ANY (b.tail)
      WHERE b.tenant_id = $1 AND b.ctid = ANY (ARRAY${newest("tails")}))
    || ARRAY(SELECT concat_ws(' ', o.box_id, o.chunk_count, o.card_id) FROM born o) AS places
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
