// Branches that are over, by their ids, for a fork that takes their results instead of running them again.
import type { RecordedTask } from "../batch/fork-in";
import type { Unit } from "../unit";
import type { PlanRunKey } from "./plan-row";

// A branch is found by its batch: one of this node's earlier tries, or of the same node of the run that this one was forked from, which
// may itself have taken all its results from an older batch.
const RECORDED = `
  WITH batches AS (
    SELECT b.batch_id FROM state.plan_runs r JOIN state.pmo_batches b ON b.project_id = $1
      AND b.plan_run_id IN (r.plan_run_id, r.forked_from) AND b.plan_node_id = $3
    WHERE r.project_id = $1 AND r.plan_run_id = $2
    UNION
    SELECT n.replays ->> 'batch_id' FROM state.plan_runs r JOIN state.plan_run_nodes n ON n.project_id = $1
      AND n.plan_run_id = r.forked_from AND n.node_id = $3 AND n.status = 'replayed'
    WHERE r.project_id = $1 AND r.plan_run_id = $2
  )
  SELECT k.batch_task_id, k.agent_id, k.agent_turn_id, k.status, k.context_box_id, k.output_box_id, k.result_view, k.metadata
  FROM batches b JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = b.batch_id
  WHERE k.batch_task_id = ANY ($4::text[])`;

/** By batch_task_id. */
export async function readRecorded(
  unit: Unit,
  {
    project_id,
    plan_run_id,
    node_id,
    batch_task_ids,
  }: PlanRunKey & { node_id: string; batch_task_ids: readonly string[] },
): Promise<Map<string, RecordedTask>> {
  if (batch_task_ids.length === 0) return new Map();
  const rows = await unit.query<RecordedTask>("plan_recorded", RECORDED, [
    project_id,
    plan_run_id,
    node_id,
    batch_task_ids,
  ]);
  return new Map(rows.map((row) => [row.batch_task_id, row]));
}
