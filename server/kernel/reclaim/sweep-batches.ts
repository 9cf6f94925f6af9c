// Batches that nobody has settled: a worker died between a branch's end and its settling, a deadline has passed, a held
// back branch may go. Settling decides by itself, so asking once too often does nothing.
import type { BatchKey } from "../batch/batch-row";
import { settleBatch } from "../batch/settle";
import type { Kernel } from "../kernel";

// Live branches are no reason: their end settles the batch. Nor is the parent's end, which ends its batch with it.
const UNSETTLED = `
  SELECT b.project_id, b.batch_id FROM state.pmo_batches b
  WHERE b.status = 'running' AND (
    b.deadline_at <= now()
    OR EXISTS (SELECT 1 FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
      AND k.status = 'pending' AND (k.next_retry_at IS NULL OR k.next_retry_at <= now()))
    OR (b.fail_fast AND EXISTS (SELECT 1 FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
      AND k.status IN ('failed', 'canceled', 'timeout')))
    OR NOT EXISTS (SELECT 1 FROM state.pmo_batch_tasks k
      LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
      WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
        AND (k.status = 'pending' OR (k.status = 'dispatched' AND t.ended_at IS NULL))))
  ORDER BY b.created_at LIMIT 200`;

/** Answers how many of them ended. One that cannot be settled does not keep the others from it. */
export async function sweepBatches(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<BatchKey>({ name: "reclaim_batches", text: UNSETTLED });
  const settled = await Promise.allSettled(rows.map((key) => settleBatch(kernel, key)));
  const failed = settled.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return settled.filter(
    (result) => result.status === "fulfilled" && result.value !== "running" && result.value !== null,
  ).length;
}
