// Nodes that come into a run after its launch: their rows, and the next free headcodes of the run for their turns. A node that
// was taken away and comes back under its id goes on with the next try, so that no try is ever started twice (K18).
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { columnsOf } from "../columns";
import { takeHeadcodes } from "../delegation/take-headcodes";
import type { Unit } from "../unit";
import { callerOf } from "./plan-caller";
import { PLAN_NODE_COLUMNS, type PlanNodeRow, type PlanRunFrameRow, planNodeFrame } from "./plan-row";
import { profilesOf } from "./profiles-of";

type AddNodes = {
  run: PlanRunFrameRow;
  plan: Plan;
  /** New ones, and waiting ones that have other tasks or targets now. */
  node_ids: readonly string[];
};

// Codes that were given stay given, also where the node has fewer tasks now: a code never names two turns.
const ADD = `
  INSERT INTO state.plan_run_nodes (project_id, plan_run_id, node_id, headcodes, try)
  SELECT $1, $2, g.node_id, ARRAY(SELECT jsonb_array_elements_text(g.headcodes)),
    coalesce((SELECT max(b.plan_try) FROM state.pmo_batches b
      WHERE b.project_id = $1 AND b.plan_run_id = $2 AND b.plan_node_id = g.node_id), 0) + 1
  FROM jsonb_to_recordset($3::jsonb) AS g(node_id text, headcodes jsonb)
  ON CONFLICT (project_id, plan_run_id, node_id) DO UPDATE SET headcodes = excluded.headcodes, rev = plan_run_nodes.rev + 1,
    status = 'waiting', try = greatest(excluded.try, plan_run_nodes.try), starts = 0, batch_id = NULL, request_id = NULL,
    is_released = false, replays = NULL, reason = NULL, error_code = NULL, next_retry_at = NULL, started_at = NULL, ended_at = NULL
  RETURNING ${columnsOf(PLAN_NODE_COLUMNS, "plan_run_nodes")}`;

export async function addNodes(unit: Unit, { run, plan, node_ids }: AddNodes): Promise<void> {
  const { project_id, plan_run_id, root_turn_id } = run;
  const wanted = new Set(node_ids);
  const places = placesInOrder(graphOf(plan)).filter((place) => wanted.has(nodeIdOf(place)));
  if (wanted.size === 0) return;
  const caller = await callerOf(unit, run);
  const profiles = await profilesOf(unit, project_id, plan, placesInOrder(graphOf(plan)));
  const { codes } = await takeHeadcodes(unit, {
    project_id,
    root_turn_id,
    turns: places.map((place) => ({ profile_name: profiles.get(place) ?? "", depth: caller.turn.depth + 1 })),
    adds: places.length,
  });
  const byNode = new Map<string, string[]>([...wanted].map((id) => [id, []]));
  for (const [i, place] of places.entries()) byNode.get(nodeIdOf(place))?.push(codes[i] ?? "");
  const rows = await unit.query<PlanNodeRow>("plan_nodes_add", ADD, [
    project_id,
    plan_run_id,
    JSON.stringify([...byNode].map(([node_id, headcodes]) => ({ node_id, headcodes }))),
  ]);
  for (const row of rows) unit.frame(project_id, planNodeFrame(row, root_turn_id));
}
