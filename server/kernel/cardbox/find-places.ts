// Where cards are: the chunks of boxes that hold them. The index gives all places of a card at once, in the order in which they were
// stored; of a card that every request holds, the newest are taken.
import { type Reader, read } from "../reader";

export type Place = { box_id: string; n: number; card_id: string };
/** `total` counts chunks, which may hold several of the cards. `looked_at`: there are more than these places are from. */
export type Places = { places: Place[]; total: number; looked_at?: number };

/** Places that are looked at. */
const PLACES_MAX = 1_000;
/** Places that are counted. */
const COUNTED_MAX = 100_000;

// Ids have no spaces. The index on card_ids does not include the project, so the filter is applied afterwards. Of the chunks only
// where they stand is kept, and the last are read again from there: all of them, with their ids, took three times as long.
const FIND = `
  WITH found AS MATERIALIZED (
    SELECT array_agg(f.at) AS at FROM (SELECT k.ctid AS at FROM card_box_chunks k
      WHERE k.card_ids && $2::text[] AND k.tenant_id = $1 LIMIT ${COUNTED_MAX + 1}) f
  )
  SELECT (SELECT coalesce(cardinality(f.at), 0) FROM found f) AS total, ARRAY(
    SELECT concat_ws(' ', k.box_id, k.n, u.id) FROM card_box_chunks k JOIN unnest($2::text[]) AS u(id) ON u.id = ANY (k.card_ids)
    WHERE k.tenant_id = $1 AND k.ctid = ANY (ARRAY(SELECT p.at FROM found f
      CROSS JOIN LATERAL unnest(f.at[greatest(1, cardinality(f.at) - ${PLACES_MAX - 1}):]) AS p(at)))) AS places`;

export async function findPlaces(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Places> {
  const [row] = await read<{ total: number; places: string[] }>(reader, "sightings_places", FIND, [
    project_id,
    card_ids,
  ]);
  if (!row) throw new Error("an aggregate answered no row");
  const places = row.places.map((text): Place => {
    const [box_id = "", n = "", card_id = ""] = text.split(" ");
    return { box_id, n: Number(n), card_id };
  });
  return { places, total: row.total, ...(row.total > PLACES_MAX && { looked_at: places.length }) };
}
