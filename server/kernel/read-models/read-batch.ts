// One batch with its tasks in task_index order, as programs read it.
import type { BatchDetail } from "@/server/contract/batch";
import { BATCH_COLUMNS, type BatchRow, type BatchTaskRow, batchOf, taskOf } from "../batch/batch-row";
import { noBatch } from "../batch/no-batch";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const READ = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, (SELECT coalesce(jsonb_agg(to_jsonb(k) ORDER BY k.task_index), '[]') FROM state.pmo_batch_tasks k
    WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id) AS tasks
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = $2`;

/** not_found for an unknown batch and for one of another project alike. */
export async function readBatch(kernel: Kernel, input: { project_id: string; batch_id: string }): Promise<BatchDetail> {
  const { project_id, batch_id } = input;
  const [row] = await read<BatchRow & { tasks: BatchTaskRow[] }>(kernel, "batch_read", READ, [project_id, batch_id]);
  if (!row) throw noBatch(project_id, batch_id);
  return { ...batchOf(row), tasks: row.tasks.map(taskOf) };
}
