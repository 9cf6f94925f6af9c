// A request fills more than its share of the model's window.
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";

const PRESSURE = `
  SELECT t.agent_turn_id AS subject_id, t.root_turn_id, t.agent_turn_id,
    jsonb_build_object('tokens', t.fullest_tokens, 'window_tokens', t.window_tokens, 'threshold', $3::float8) AS figures
  FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) AND t.fullest_tokens > $3::float8 * t.window_tokens`;

export const findPressure = (reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_pressure", PRESSURE, [project_id, agent_turn_ids, limits.pressure_share]);
