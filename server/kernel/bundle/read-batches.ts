// The batches of a run, each with its branches.
import type { BatchLine, TaskLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { BATCH_COLUMNS, BATCH_PLAN_COLUMNS, TASK_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, groupBy, noteTimes } from "./gathered";
import type { Piece, RunKey } from "./piece";

const PAGE = 50;

const BATCHES = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, ${columnsOf(BATCH_PLAN_COLUMNS, "b")}, ${usSql("b.deadline_at")} AS deadline_at, ${usSql("b.gate_at")} AS gate_at,
    ${usSql("b.created_at")} AS created_at, ${usSql("b.ended_at")} AS ended_at
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.root_turn_id = $2 AND b.batch_id COLLATE "C" > $3
  ORDER BY b.batch_id COLLATE "C" LIMIT ${PAGE}`;
const TASKS = `
  SELECT ${columnsOf(TASK_COLUMNS, "k")}, ${usSql("k.created_at")} AS created_at
  FROM state.pmo_batch_tasks k WHERE k.project_id = $1 AND k.batch_id = ANY ($2)
  ORDER BY k.batch_id COLLATE "C", k.task_index`;

type Row = Omit<BatchLine, "tasks" | "plan"> & {
  plan_run_id: string | null;
  plan_node_id: string | null;
  plan_try: number | null;
};

export async function* readBatches(
  reader: Reader,
  { project_id, root_turn_id }: RunKey,
  gathered: Gathered,
): AsyncGenerator<Piece> {
  for (let after = ""; ; ) {
    const values = [project_id, root_turn_id, after];
    const rows = await read<Row>(reader, "bundle_batches", BATCHES, values);
    const ids = rows.map((row) => row.batch_id);
    const tasks = ids.length > 0 ? await read<TaskLine>(reader, "bundle_tasks", TASKS, [project_id, ids]) : [];
    const tasksOf = groupBy(tasks, (task) => task.batch_id);
    for (const { plan_run_id, plan_node_id, plan_try, ...row } of rows) {
      after = row.batch_id;
      const own = tasksOf.get(row.batch_id) ?? [];
      addAll(gathered.agents, [row.parent_agent_id, ...own.map((task) => task.agent_id)]);
      addAll(
        gathered.boxes,
        own.flatMap((task) => [task.context_box_id, task.output_box_id]),
      );
      noteTimes(gathered, row.created_at, row.ended_at);
      const plan = plan_run_id === null ? undefined : { plan_run_id, node_id: plan_node_id, try: plan_try };
      yield { part: "batches.jsonl", line: { ...row, plan, tasks: own } };
    }
    if (rows.length < PAGE) return;
  }
}
