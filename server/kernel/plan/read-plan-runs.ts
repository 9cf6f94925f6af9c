// Runs of plans: the list, and one with its body and nodes in the order of the plan.
import type { BatchStatus } from "@/server/contract/batch";
import type { PlanRun, PlanRunDetail, PlanRunTurn } from "@/server/contract/plan/plan-run";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { type NodeStanding, type NodeTask, readBody, readNodes } from "./lock-plan";
import { noPlanRun } from "./no-plan-run";
import { PLAN_RUN_FRAME_COLUMNS, type PlanRunFrameRow, type PlanRunKey, planNodeOf, planRunOf } from "./plan-row";

const LIST = `
  SELECT ${columnsOf(PLAN_RUN_FRAME_COLUMNS, "r")}, r.body ->> 'name' AS name FROM state.plan_runs r
  WHERE r.project_id = $1 AND ($2::text IS NULL OR r.plan_id = $2) AND ($3::text IS NULL OR r.status = $3)
    AND ($4::text IS NULL OR r.root_turn_id = $4)
  ORDER BY r.created_at DESC, r.plan_run_id DESC LIMIT 200`;
const ONE = `
  SELECT ${columnsOf(PLAN_RUN_FRAME_COLUMNS, "r")}, r.body, r.layout FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_run_id = $2`;

export type PlanRunFilter = { project_id: string; plan_id?: string; status?: BatchStatus; root_turn_id?: string };

/** The newest 200. */
export async function listPlanRuns(reader: Reader, input: PlanRunFilter): Promise<PlanRun[]> {
  const rows = await read<PlanRunFrameRow & { name: string | null }>(reader, "plan_runs", LIST, [
    input.project_id,
    input.plan_id ?? null,
    input.status ?? null,
    input.root_turn_id ?? null,
  ]);
  return rows.map((row) => planRunOf(row, row.name ?? ""));
}

/** not_found for one of another project too. */
export async function readPlanRun(reader: Reader, key: PlanRunKey): Promise<PlanRunDetail> {
  const ids = [key.project_id, key.plan_run_id];
  const [row] = await read<PlanRunFrameRow & { body: object; layout: object }>(reader, "plan_run", ONE, ids);
  if (!row) throw noPlanRun(key);
  const nodes = await readNodes(reader, key);
  const { layout, ...body } = readBody({ ...row.body, layout: row.layout });
  const byId = new Map(
    nodes.map((node) => [
      node.node_id,
      { ...planNodeOf(node), turns: (node.tasks ?? []).map((task) => turnOf(body, node, task)) },
    ]),
  );
  return { ...planRunOf(row, body.name), body, layout, nodes: body.nodes.flatMap(({ id }) => byId.get(id) ?? []) };
}

function turnOf(
  { nodes }: Pick<PlanRunDetail["body"], "nodes">,
  { node_id }: NodeStanding,
  task: NodeTask,
): PlanRunTurn {
  const drawn = nodes.find(({ id }) => id === node_id);
  const id = drawn?.kind === "fork" ? drawn.tasks[task.task_index]?.id : undefined;
  const { status, agent_id, agent_turn_id, output_box_id, deliverable_card_id } = task;
  return {
    ...(id !== undefined && { task: id }),
    status,
    agent_id,
    ...(agent_turn_id !== null && { agent_turn_id }),
    ...(output_box_id !== null && { output_box_id }),
    ...(deliverable_card_id !== null && { deliverable_card_id }),
  };
}
