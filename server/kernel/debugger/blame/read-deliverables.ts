// What the turns behind some output boxes delivered, by box. An agent's turns share a box: then the last that had ended counts.
import { SHOWN_CONTENT } from "../../cardbox/card-row";
import { type Reader, read } from "../../reader";
import { BLAME_FACT, type BlameCard } from "./blame-card";

// The clocks of the process and of the database may differ by a little.
const DELIVERED = `
  SELECT d.output_box_id, ${BLAME_FACT}, ${SHOWN_CONTENT} AS content FROM (
    SELECT DISTINCT ON (t.output_box_id) t.output_box_id, t.deliverable_card_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.output_box_id = ANY ($2::text[]) AND t.deliverable_card_id IS NOT NULL
    ORDER BY t.output_box_id, t.ended_at <= $3::timestamptz + interval '2 seconds' DESC NULLS LAST, t.ended_at DESC, t.agent_turn_id
  ) d JOIN cards c ON c.tenant_id = $1 AND c.card_id = d.deliverable_card_id`;

export async function readDeliverables(
  reader: Reader,
  input: { project_id: string; output_box_ids: readonly string[]; created_at: string },
): Promise<Map<string, BlameCard>> {
  const { project_id, output_box_ids, created_at } = input;
  const rows = await read<BlameCard & { output_box_id: string }>(reader, "blame_delivered", DELIVERED, [
    project_id,
    [...new Set(output_box_ids)],
    created_at,
  ]);
  return new Map(rows.map(({ output_box_id, ...card }) => [output_box_id, card]));
}
