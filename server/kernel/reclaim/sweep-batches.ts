// Batches that nobody has settled: a worker died between a branch's end and its settling, a deadline has passed, a held
// back branch may go. Settling decides by itself, so asking once too often does nothing.
import type { BatchKey } from "../batch/batch-row";
import { IS_DUE } from "../batch/due";
import { settleBatch } from "../batch/settle";
import type { Kernel } from "../kernel";

const UNSETTLED = `
  SELECT b.project_id, b.batch_id FROM state.pmo_batches b WHERE b.status = 'running' AND ${IS_DUE}
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
