// Where a card is in a box: links name cards, pages name places.
import { type Reader, read } from "../reader";

const FIND = `
  SELECT b.start + array_position(b.card_ids, $3) - 1 AS position
  FROM card_box_chunks b
  WHERE b.tenant_id = $1 AND b.box_id = $2 AND b.card_ids @> ARRAY[$3]
  ORDER BY b.start LIMIT 1`;

/** The first place, from 0; null if the box does not contain it. */
export async function findInBox(
  reader: Reader,
  query: { project_id: string; box_id: string; card_id: string },
): Promise<number | null> {
  const [row] = await read<{ position: number }>(reader, "box_find", FIND, [
    query.project_id,
    query.box_id,
    query.card_id,
  ]);
  return row?.position ?? null;
}
