// A branch of a fork took several times as long as its siblings. All branches of a fork are looked at again when it ends.
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { isLate, siblingsMs, tookMs } from "./late-sql";

const LATE = `
  SELECT t.agent_turn_id AS subject_id, t.root_turn_id, t.agent_turn_id,
    jsonb_build_object('ms', round(${tookMs("t")}), 'median_ms', round(${siblingsMs("t")}), 'threshold', $4::float8) AS figures
  FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.ended_at IS NOT NULL AND ${isLate("t", { times: "$4::float8", ms: "$5::float8" })}
    AND t.agent_turn_id = ANY ($2::text[] || ARRAY(
      SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.batch_id = ANY ($3::text[])))`;

export const findLate = (
  reader: Reader,
  { project_id, agent_turn_ids, batch_ids, limits }: Swept,
): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_late", LATE, [
    project_id,
    agent_turn_ids,
    batch_ids,
    limits.late_times,
    limits.late_ms,
  ]);
