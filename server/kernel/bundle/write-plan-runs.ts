// Runs of plans of a run that was brought along. All have ended, so nothing here starts a node: a run is at rest, and no node has a
// time at which it is tried again.
import type { PlanEditLine, PlanNodeLine, PlanRunLine } from "@/server/contract/bundle/plan-lines";
import { columnsOf } from "../columns";
import {
  PLAN_NODE_COLUMNS as ALL_NODE,
  PLAN_RUN_FRAME_COLUMNS as ALL_RUN,
  type PlanNodeRow,
  type PlanRunFrameRow,
  planNodeFrame,
  planRunFrame,
} from "../plan/plan-row";
import { PLAN_EDIT_COLUMNS, PLAN_NODE_COLUMNS, PLAN_NODE_TIMES, PLAN_RUN_COLUMNS, PLAN_RUN_TIMES } from "./columns";
import { endPlanNode, endPlanRun } from "./ended";
import { partsOf } from "./parts-of";
import { refuseTaken, type Writing, withoutNulls } from "./writing";

const RUNS = `
  INSERT INTO state.plan_runs (project_id, root_turn_id, ${PLAN_RUN_COLUMNS.join(", ")}, ${PLAN_RUN_TIMES.join(", ")}, is_at_rest)
  SELECT $1, $2, ${columnsOf(PLAN_RUN_COLUMNS, "g")}, ${columnsOf(PLAN_RUN_TIMES, "g")}, true
  FROM jsonb_populate_recordset(NULL::state.plan_runs, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(ALL_RUN, "plan_runs")}`;
const NODES = `
  INSERT INTO state.plan_run_nodes (project_id, ${PLAN_NODE_COLUMNS.join(", ")}, ${PLAN_NODE_TIMES.join(", ")})
  SELECT $1, ${columnsOf(PLAN_NODE_COLUMNS, "g")}, ${columnsOf(PLAN_NODE_TIMES, "g")}
  FROM jsonb_populate_recordset(NULL::state.plan_run_nodes, $2::jsonb) AS g
  RETURNING ${columnsOf(ALL_NODE, "plan_run_nodes")}`;
const EDITS = `
  INSERT INTO state.plan_run_edits (project_id, ${PLAN_EDIT_COLUMNS.join(", ")}, created_at)
  SELECT $1, ${columnsOf(PLAN_EDIT_COLUMNS, "g")}, g.created_at
  FROM jsonb_populate_recordset(NULL::state.plan_run_edits, $2::jsonb) AS g`;

export async function writePlanRuns({ unit, project_id, source }: Writing): Promise<void> {
  const { root_turn_id, exported_at } = source;
  for await (const part of partsOf<PlanRunLine>(source.lines("plan_runs.jsonl"))) {
    const names = new Map(part.map(({ plan_run_id, body }) => [plan_run_id, body.name]));
    const rows = part.map((line) => withoutNulls(endPlanRun(line, exported_at)));
    const values = [project_id, root_turn_id, JSON.stringify(rows)];
    const made = await unit.query<PlanRunFrameRow>("bundle_plan_runs_add", RUNS, values);
    refuseTaken(
      "plan_run",
      part.map((line) => line.plan_run_id),
      made.map((row) => row.plan_run_id),
    );
    for (const row of made) unit.frame(project_id, planRunFrame(row, names.get(row.plan_run_id) ?? ""));
  }
  for await (const part of partsOf<PlanNodeLine>(source.lines("plan_nodes.jsonl"))) {
    const rows = part.map((line) => withoutNulls(endPlanNode(line, exported_at)));
    const made = await unit.query<PlanNodeRow>("bundle_plan_nodes_add", NODES, [project_id, JSON.stringify(rows)]);
    for (const row of made) unit.frame(project_id, planNodeFrame(row, root_turn_id));
  }
  for await (const part of partsOf<PlanEditLine>(source.lines("plan_edits.jsonl")))
    await unit.query("bundle_plan_edits_add", EDITS, [project_id, JSON.stringify(part)]);
}
