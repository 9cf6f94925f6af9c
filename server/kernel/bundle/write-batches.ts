// Batches of a run that was brought along, with their branches: ended, whatever they were. Their edges are written as they were told.
import type { BatchLine } from "@/server/contract/bundle/lines";
import {
  BATCH_COLUMNS as ALL_BATCH,
  TASK_COLUMNS as ALL_TASK,
  type BatchRow,
  type BatchTaskRow,
  batchFrame,
  batchTaskFrame,
} from "../batch/batch-row";
import { columnsOf } from "../columns";
import { BATCH_COLUMNS, BATCH_PLAN_COLUMNS, BATCH_TIMES, TASK_COLUMNS } from "./columns";
import { endBatch } from "./ended";
import { partsOf } from "./parts-of";
import { refuseTaken, type Writing, withoutNulls } from "./writing";

const BATCHES = `
  INSERT INTO state.pmo_batches (project_id, root_turn_id, ${BATCH_COLUMNS.join(", ")}, ${BATCH_PLAN_COLUMNS.join(", ")}, ${BATCH_TIMES.join(", ")}, tells_request, tells_response, turns)
  SELECT $1, $2, ${columnsOf(BATCH_COLUMNS, "g")}, ${columnsOf(BATCH_PLAN_COLUMNS, "g")}, ${columnsOf(BATCH_TIMES, "g")}, false, false,
    array_fill(NULL::text, ARRAY[g.task_count])
  FROM jsonb_populate_recordset(NULL::state.pmo_batches, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(ALL_BATCH, "pmo_batches")}`;
// Each with a row of its own: what was recorded of a branch need not be what its turn says here.
const TASKS = `
  INSERT INTO state.branch_extra (project_id, ${TASK_COLUMNS.join(", ")}, created_at, updated_at)
  SELECT $1, ${columnsOf(TASK_COLUMNS, "g")}, g.created_at, g.created_at
  FROM jsonb_populate_recordset(NULL::state.branch_extra, $2::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(ALL_TASK, "branch_extra")}`;

export async function writeBatches({ unit, project_id, source }: Writing): Promise<void> {
  for await (const part of partsOf<BatchLine>(source.lines("batches.jsonl"))) {
    const batches = part.map((line) => endBatch(line, source.exported_at));
    const rows = batches.map(({ tasks: _tasks, plan, ...row }) =>
      withoutNulls({ ...row, plan_run_id: plan?.plan_run_id, plan_node_id: plan?.node_id, plan_try: plan?.try }),
    );
    const made = await unit.query<BatchRow>("bundle_batches_add", BATCHES, [
      project_id,
      source.root_turn_id,
      JSON.stringify(rows),
    ]);
    refuseTaken(
      "batch",
      batches.map((batch) => batch.batch_id),
      made.map((row) => row.batch_id),
    );
    const tasks = batches.flatMap((batch) => batch.tasks);
    const madeTasks = await unit.query<BatchTaskRow>("bundle_tasks_add", TASKS, [
      project_id,
      JSON.stringify(tasks.map(withoutNulls)),
    ]);
    refuseTaken(
      "task",
      tasks.map((task) => task.batch_task_id),
      madeTasks.map((row) => row.batch_task_id),
    );
    for (const row of made) unit.frame(project_id, batchFrame(row));
    for (const row of madeTasks) unit.frame(project_id, batchTaskFrame(row, source.root_turn_id));
  }
}
