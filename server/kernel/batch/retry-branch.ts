// A person gives a branch that did not succeed another attempt while its batch still runs. It is dispatched within
// max_parallel, and by the sweep if this process dies in between.
import { isRetriable } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import type { TurnRow } from "../turns/turn-row";
import { withUnit } from "../unit";
import { BATCH_COLUMNS, type BatchKey, type BatchRow, type BatchTaskRow } from "./batch-row";
import { noBatch } from "./no-batch";
import { reopenBranches } from "./reopen-branches";
import { settleBatch } from "./settle";

export type RetryInput = BatchKey & { task_index: number; by: string };

const LOCK = `
  SELECT ${columnsOf(BATCH_COLUMNS, "pmo_batches")}, coalesce(deadline_at <= now(), false) AS is_overdue FROM state.pmo_batches
  WHERE project_id = $1 AND batch_id = $2 FOR UPDATE`;
const BRANCH = `
  SELECT to_jsonb(k) AS task, to_jsonb(t) AS turn FROM state.pmo_batch_tasks k
  LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.task_index = $3`;

/** not_found if the batch or branch does not exist; conflict, with an alternative, if there is nothing to retry. */
export async function retryBranch(kernel: Kernel, input: RetryInput): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const { project_id, batch_id, task_index } = input;
    const key = [project_id, batch_id];
    const [[batch], [branch]] = await Promise.all([
      unit.query<BatchRow & { is_overdue: boolean }>("retry_lock", LOCK, key),
      unit.query<Branch>("retry_branch", BRANCH, [...key, task_index]),
    ]);
    if (!batch) throw noBatch(project_id, batch_id);
    if (!branch)
      throw new KernelError("not_found", `task_index: batch ${batch_id} has tasks 0 to ${batch.task_count - 1}`);
    refuseSettled(batch, branch.task);
    await reopenBranches(unit, batch, [{ ...branch, retried_by: input.by }]);
    unit.after(async () => {
      await settleBatch(kernel, { project_id, batch_id });
    });
  });
}

type Branch = { task: BatchTaskRow; turn: TurnRow | null };

function refuseSettled(batch: BatchRow & { is_overdue: boolean }, task: BatchTaskRow): void {
  const refuse = (why: string) => {
    throw new KernelError("conflict", why);
  };
  if (batch.status !== "running" || batch.is_overdue)
    refuse(`batch ${batch.batch_id} has ended, so its tasks can't be retried; run the turn again on its own`);
  if (batch.fail_fast)
    refuse(`batch ${batch.batch_id} fails fast: it ends with its first branch that does not succeed`);
  if (!isRetriable(task.status))
    refuse(`task_index: task ${task.task_index} is ${task.status}; failed, timeout and canceled tasks can be retried`);
}
