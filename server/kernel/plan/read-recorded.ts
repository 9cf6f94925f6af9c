// Branches that are over, by their ids, for a fork that takes their results instead of running them again.
import type { RecordedTask } from "../batch/fork-in";
import type { Unit } from "../unit";

const RECORDED = `
  SELECT k.batch_task_id, k.agent_id, k.agent_turn_id, k.status, k.context_box_id, k.output_box_id, k.result_view, k.metadata
  FROM state.pmo_batch_tasks k WHERE k.project_id = $1 AND k.batch_task_id = ANY ($2::text[])`;

/** By batch_task_id. */
export async function readRecorded(
  unit: Unit,
  { project_id, batch_task_ids }: { project_id: string; batch_task_ids: readonly string[] },
): Promise<Map<string, RecordedTask>> {
  if (batch_task_ids.length === 0) return new Map();
  const rows = await unit.query<RecordedTask>("plan_recorded", RECORDED, [project_id, batch_task_ids]);
  return new Map(rows.map((row) => [row.batch_task_id, row]));
}
