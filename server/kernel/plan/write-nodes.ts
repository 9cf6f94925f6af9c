// Moves nodes of a plan run, set-wise: status, reason, batch, request and times, with a frame for each. The run's row is locked.
import type { PlanNodeStatus, Replays } from "@/server/contract/plan/plan-run";
import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import { PLAN_NODE_COLUMNS, type PlanNodeRow, type PlanRunRow, planNodeFrame } from "./plan-row";

export type NodeMove = {
  node_id: string;
  status: PlanNodeStatus;
  reason?: string;
  error_code?: string;
  batch_id?: string;
  request_id?: string;
  is_released?: boolean;
  /** From now; a node that waits for its next start. */
  retry_in_ms?: number;
  /** Failed starts so far. */
  starts?: number;
  try?: number;
  /** Null = none any more. Absent = as it is. */
  replays?: Replays | null;
};

// What a move does not name stays, but for what only the state before had: reason, error and the next start.
const MOVE = `
  WITH acted AS (
    UPDATE state.plan_runs SET is_at_rest = false WHERE project_id = $1 AND plan_run_id = $2 AND is_at_rest AND $4
  )
  UPDATE state.plan_run_nodes n SET status = g.status, reason = g.reason, error_code = g.error_code,
    batch_id = CASE WHEN g.status = 'waiting' THEN g.batch_id ELSE coalesce(g.batch_id, n.batch_id) END,
    request_id = coalesce(g.request_id, n.request_id), is_released = coalesce(g.is_released, n.is_released),
    next_retry_at = now() + g.retry_in_ms * interval '1 ms', starts = coalesce(g.starts, n.starts), try = coalesce(g.try, n.try),
    replays = CASE WHEN g.has_no_replays THEN NULL ELSE coalesce(g.replays, n.replays) END,
    started_at = CASE g.status WHEN 'running' THEN now() WHEN 'waiting' THEN NULL ELSE n.started_at END,
    ended_at = CASE WHEN g.status IN ('waiting', 'held', 'running') THEN NULL ELSE now() END, rev = n.rev + 1
  FROM jsonb_to_recordset($3::jsonb) AS g(node_id text, status text, reason text, error_code text, batch_id text, request_id text,
    is_released boolean, retry_in_ms float8, starts int, try int, replays jsonb, has_no_replays boolean)
  WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = g.node_id
  RETURNING ${columnsOf(PLAN_NODE_COLUMNS, "n")}`;

export type MoveOptions = {
  /** The run has something to decide after it. False where the unit itself says at its end whether it has (advance-plan). */
  wakes?: boolean;
};

export async function moveNodes(
  unit: Unit,
  run: Pick<PlanRunRow, "project_id" | "plan_run_id" | "root_turn_id">,
  moves: NodeMove[],
  { wakes = true }: MoveOptions = {},
): Promise<PlanNodeRow[]> {
  if (moves.length === 0) return [];
  const { project_id, plan_run_id, root_turn_id } = run;
  const rows = await unit.query<PlanNodeRow>("plan_nodes_move", MOVE, [
    project_id,
    plan_run_id,
    JSON.stringify(moves.map((move) => ({ ...move, has_no_replays: move.replays === null }))),
    wakes,
  ]);
  if (rows.length !== moves.length)
    throw new Error(`nodes of plan run ${plan_run_id} were locked and could not be moved`);
  for (const row of rows) unit.frame(project_id, planNodeFrame(row, root_turn_id));
  return rows;
}
