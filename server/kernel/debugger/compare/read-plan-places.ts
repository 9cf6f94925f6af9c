// Where the turns of two runs stand in the plans that the runs were launched as, also those whose recorded result was taken over from
// another run. One statement.
import { type Reader, read } from "../../reader";

/** Of forks of forks. */
const BACK_MAX = 50;

// A lineage is a published plan, or for drafts the run that all were forked from.
const PLACES = `
  WITH RECURSIVE runs AS (
    SELECT p.plan_run_id, p.root_turn_id, p.plan_id, p.forked_from, p.body FROM state.plan_runs p
    WHERE p.project_id = $1 AND p.root_turn_id = ANY ($2::text[])
  ), back(of, plan_run_id, plan_id, forked_from, depth) AS (
    SELECT r.plan_run_id, r.plan_run_id, r.plan_id, r.forked_from, 0 FROM runs r
    UNION ALL
    SELECT b.of, p.plan_run_id, p.plan_id, p.forked_from, b.depth + 1 FROM back b
    JOIN state.plan_runs p ON p.project_id = $1 AND p.plan_run_id = b.forked_from WHERE b.plan_id IS NULL AND b.depth < ${BACK_MAX}
  ), lineages AS (
    SELECT DISTINCT ON (b.of) b.of, coalesce(b.plan_id, b.plan_run_id) AS lineage FROM back b ORDER BY b.of, b.depth DESC
  ), parts AS MATERIALIZED (
    SELECT r.plan_run_id, x.part ->> 'id' AS node_id, x.part -> 'tasks' AS tasks FROM runs r
    CROSS JOIN LATERAL jsonb_array_elements(r.body -> 'nodes') AS x(part)
  )
  SELECT r.root_turn_id, l.lineage, n.node_id, coalesce(x.tasks -> k.task_index ->> 'id', '') AS task_id,
    coalesce(k.agent_turn_id, k.metadata #>> '{replays,agent_turn_id}') AS agent_turn_id
  FROM runs r
  JOIN lineages l ON l.of = r.plan_run_id
  JOIN state.plan_run_nodes n ON n.project_id = $1 AND n.plan_run_id = r.plan_run_id
  CROSS JOIN LATERAL (
    SELECT b.batch_id FROM state.pmo_batches b WHERE b.project_id = $1 AND b.plan_run_id = r.plan_run_id AND b.plan_node_id = n.node_id
    UNION ALL SELECT n.replays ->> 'batch_id' WHERE n.status = 'replayed'
  ) b
  JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = b.batch_id
  LEFT JOIN parts x ON x.plan_run_id = r.plan_run_id AND x.node_id = n.node_id
  WHERE coalesce(k.agent_turn_id, k.metadata #>> '{replays,agent_turn_id}') IS NOT NULL`;

type Row = { root_turn_id: string; lineage: string | null; node_id: string; task_id: string; agent_turn_id: string };

/** `node`: equal for the same step of two runs of one lineage. */
export type PlanPlace = { root_turn_id: string; agent_turn_id: string; node: string; plan: string | null };

export async function readPlanPlaces(
  reader: Reader,
  { project_id, root_turn_ids }: { project_id: string; root_turn_ids: string[] },
): Promise<PlanPlace[]> {
  const rows = await read<Row>(reader, "compare_places", PLACES, [project_id, root_turn_ids]);
  return rows.map(({ root_turn_id, agent_turn_id, lineage, node_id, task_id }) => ({
    ...{ root_turn_id, agent_turn_id },
    plan: lineage,
    node: JSON.stringify([lineage, node_id, task_id]),
  }));
}
