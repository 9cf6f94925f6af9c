// Whether a batch has something to decide. Asked without a lock, after the end of each branch: of two that end at once the
// later one sees both, so the last of them always finds it due, and the others do not queue for the batch's row.
import type { Kernel } from "../kernel";
import type { BatchKey } from "./batch-row";

/** For a table `b` of running batches. Live branches are no reason: their end will be one. */
export const IS_DUE = `(
    b.deadline_at <= now()
    OR EXISTS (SELECT 1 FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
      AND k.status = 'pending' AND (k.next_retry_at IS NULL OR k.next_retry_at <= now()))
    OR (b.fail_fast AND EXISTS (SELECT 1 FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
      AND k.status IN ('failed', 'canceled', 'timeout')))
    OR NOT EXISTS (SELECT 1 FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
      AND (k.status = 'pending' OR (k.status = 'dispatched' AND NOT EXISTS (SELECT 1 FROM state.agent_turns t
        WHERE t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id AND t.ended_at IS NOT NULL)))))`;

const DUE = `
  SELECT b.project_id, b.batch_id FROM state.pmo_batches b
  WHERE b.project_id = $1 AND b.batch_id = ANY ($2::text[]) AND b.status = 'running' AND ${IS_DUE}
  ORDER BY b.batch_id`;

export async function dueBatches(
  kernel: Kernel,
  input: { project_id: string; batch_ids: string[] },
): Promise<BatchKey[]> {
  const { rows } = await kernel.db.pool.query<BatchKey>({
    name: "batches_due",
    text: DUE,
    values: [input.project_id, input.batch_ids],
  });
  return rows;
}
