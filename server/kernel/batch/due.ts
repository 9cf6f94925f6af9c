// Whether a batch has something to decide. Read without a lock after the end of each branch. Of two branches that end at once
// the later one sees both, so the last one always finds the batch due, and the others don't queue for its row.
import type { Kernel } from "../kernel";
import type { BatchKey } from "./batch-row";

// A branch that was stopped by a person is not tried again by itself; one that was refused before it had a turn would be again.
const HAS_ATTEMPT = `k.status IN ('failed', 'timeout') AND k.agent_turn_id IS NOT NULL
        AND k.attempts_max > 1 + coalesce(jsonb_array_length(k.metadata -> 'earlier'), 0)`;

/** For a table `b` of running batches. Live branches don't count: their end will make it due. */
export const IS_DUE = `(
    SELECT b.deadline_at <= now() OR b.gate_at <= now()
      OR bool_or(k.status = 'pending' AND (k.next_retry_at IS NULL OR k.next_retry_at <= now()))
      OR (b.fail_fast AND bool_or(k.status IN ('failed', 'canceled', 'timeout')))
      OR bool_or(${HAS_ATTEMPT})
      OR (b.policy IS NOT NULL AND bool_or(k.status NOT IN ('pending', 'dispatched') AND NOT (k.task_index = ANY (b.arrivals))))
      OR NOT coalesce(bool_or(k.status IN ('pending', 'dispatched')), false)
    FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id)`;

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
