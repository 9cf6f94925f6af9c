// Which other runs some turns and boxes are of. One statement.
import { type Reader, read } from "../../reader";
import type { Elsewhere } from "./came-from";

const OTHERS = `
  SELECT o.id, t.root_turn_id, r.number FROM (
    SELECT i.id, i.id AS agent_turn_id FROM unnest($3::text[]) AS i(id)
    UNION ALL
    SELECT i.id, w.agent_turn_id FROM unnest($4::text[]) AS i(id) CROSS JOIN LATERAL (
      SELECT c.agent_turn_id FROM state.agent_turns c WHERE c.project_id = $1 AND c.context_box_id = i.id
      UNION ALL SELECT u.agent_turn_id FROM state.agent_turns u WHERE u.project_id = $1 AND u.output_box_id = i.id LIMIT 1) w
  ) o
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = o.agent_turn_id AND t.root_turn_id <> $2
  LEFT JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = t.root_turn_id`;

type Asked = { project_id: string; root_turn_id: string; turn_ids: readonly string[]; box_ids: readonly string[] };

export async function readElsewhere(
  reader: Reader,
  { project_id, root_turn_id, turn_ids, box_ids }: Asked,
): Promise<Elsewhere> {
  const values = [project_id, root_turn_id, turn_ids, box_ids];
  const rows = await read<{ id: string; root_turn_id: string; number: number | null }>(
    reader,
    "flow_elsewhere",
    OTHERS,
    values,
  );
  return new Map(rows.map(({ id, ...run }) => [id, run]));
}
