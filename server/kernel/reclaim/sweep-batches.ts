// Batches that nobody has settled: a worker died between a branch's end and its settling, a deadline has passed, a held
// back branch may go. Settling decides by itself, so asking once too often does nothing.
import type { BatchKey } from "../batch/batch-row";
import { IS_DUE } from "../batch/due";
import { settleBatch } from "../batch/settle";
import type { Kernel } from "../kernel";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const UNSETTLED = `
  SELECT b.project_id, b.batch_id, ${rowKey("b.batch_id")}
  FROM state.pmo_batches b ${failureJoin("settle-batches", "b.project_id", "b.batch_id")}
  WHERE b.status = 'running' AND ${IS_TRIED} AND ${IS_DUE}
  ORDER BY ${inTurn("b.project_id", "b.created_at")} LIMIT ${LIST_MAX}`;

/** Settled in parallel: each is a separate unit and mostly waits for the database. */
const lanes = 8;

/** Returns how many of them ended. One that cannot be settled does not affect the others. */
export async function sweepBatches(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<BatchKey & WatchedRow>({ name: "reclaim_batches", text: UNSETTLED });
  const due = { rule: "settle-batches", rows, isWhole: rows.length < LIST_MAX, lanes } as const;
  return eachRow(kernel, due, async ({ project_id, batch_id }, brief) => {
    const status = await settleBatch(brief, { project_id, batch_id });
    return status !== "running" && status !== null;
  });
}
