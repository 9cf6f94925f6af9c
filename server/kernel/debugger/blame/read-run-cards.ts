// All cards that a run holds, for a text of which nobody knows the card. Only what orders them is read: with all that blame says of a
// card, this took as long as reading their texts.
import { type Reader, read } from "../../reader";
import { CARDS_MAX, type SentLine } from "./read-sent";

/** Places in boxes: a run of long contexts has the same cards in thousands of them. */
const PLACES_MAX = 200_000;

// First used first. Of each box the ids of its cards as one text, which is read ten times faster than rows.
const BOXES = `
  WITH box AS (
    SELECT x.box_id, min(x.created_at) AS at FROM state.agent_turns t
    CROSS JOIN LATERAL (VALUES (t.context_box_id, t.created_at), (t.output_box_id, t.created_at)) AS x(box_id, created_at)
    WHERE t.project_id = $1 AND t.root_turn_id = $2 AND x.box_id IS NOT NULL GROUP BY 1
  ), held AS (
    SELECT k.start, array_to_string(k.card_ids, ' ') AS ids, sum(cardinality(k.card_ids)) OVER (ORDER BY b.at, b.box_id, k.n) AS places
    FROM box b CROSS JOIN LATERAL (SELECT k.n, k.start, k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = b.box_id OFFSET 0) k
  )
  SELECT h.start, h.ids, (SELECT max(o.places) FROM held o) > ${PLACES_MAX} AS is_cut FROM held h WHERE h.places <= ${PLACES_MAX} ORDER BY h.places`;

const CARDS = `
  SELECT c.card_id, c.token_count AS tokens, (extract(epoch FROM c.created_at) * 1000)::float8 AS created_ms,
    CASE WHEN jsonb_typeof(c.metadata -> 'history_index') = 'number' THEN (c.metadata ->> 'history_index')::float8 END AS history_index
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) ORDER BY c.created_at, c.card_id`;

type Held = { start: number; ids: string; is_cut: boolean };

/** First written first; one more than `CARDS_MAX` if there are more. Two statements. */
export async function readRunCards(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<{ sent: SentLine[]; is_partial: boolean }> {
  const held = await read<Held>(reader, "blame_run_boxes", BOXES, [project_id, root_turn_id]);
  const places = placesIn(held);
  const ids = [...places.keys()].slice(0, CARDS_MAX + 1);
  const rows = await read<Omit<SentLine, "at">>(reader, "blame_run_cards", CARDS, [project_id, ids]);
  return {
    sent: rows.map((row) => ({ ...row, at: places.get(row.card_id) ?? 0 })),
    is_partial: held.some(({ is_cut }) => is_cut),
  };
}

/** Of each card the last. */
function placesIn(held: readonly Held[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { start, ids } of held)
    for (const [i, id] of ids.split(" ").entries()) places.set(id, Math.max(places.get(id) ?? 0, start + i + 1));
  return places;
}
