// Whether a batch has something to decide. Read without a lock after the end of each branch. Of two branches that end at once
// the later one sees both, so the last one always finds the batch due, and the others don't queue for its row.
import type { Kernel } from "../kernel";

// What the view pmo_batch_tasks says of a branch, and no more of it: this is asked after each end, and the whole view took longer to plan
// than to read.
const BRANCHES = `(
    SELECT u.n - 1 AS task_index, coalesce(x.status, CASE WHEN t.ended_at IS NULL AND t.status IS NOT NULL THEN 'dispatched' ELSE t.status END) AS status,
      coalesce(u.agent_turn_id, x.agent_turn_id) AS agent_turn_id, x.next_retry_at, coalesce(x.attempts_max, 1) AS attempts_max,
      x.metadata -> 'earlier' AS earlier
    FROM unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n)
    LEFT JOIN LATERAL (SELECT t.status, t.ended_at FROM state.agent_turns t
      WHERE t.project_id = b.project_id AND t.agent_turn_id = u.agent_turn_id OFFSET 0) t ON true
    LEFT JOIN LATERAL (SELECT x.status, x.agent_turn_id, x.next_retry_at, x.attempts_max, x.metadata FROM state.branch_extra x
      WHERE x.project_id = b.project_id AND x.batch_id = b.batch_id AND x.task_index = u.n - 1 OFFSET 0) x ON true)`;

// A branch that was stopped by a person is not tried again by itself; one that was refused before it had a turn would be again.
const HAS_ATTEMPT = `k.status IN ('failed', 'timeout') AND k.agent_turn_id IS NOT NULL
        AND k.attempts_max > 1 + coalesce(jsonb_array_length(k.earlier), 0)`;

/** For a table `b` of running batches. Live branches don't count: their end will make it due. */
export const IS_DUE = `(
    SELECT b.deadline_at <= now() OR b.gate_at <= now()
      OR bool_or(k.status = 'pending' AND (k.next_retry_at IS NULL OR k.next_retry_at <= now()))
      OR (b.fail_fast AND bool_or(k.status IN ('failed', 'canceled', 'timeout')))
      OR bool_or(${HAS_ATTEMPT})
      OR (b.policy IS NOT NULL AND bool_or(k.status NOT IN ('pending', 'dispatched') AND NOT (k.task_index = ANY (b.arrivals))))
      OR NOT coalesce(bool_or(k.status IN ('pending', 'dispatched')), false)
    FROM ${BRANCHES} k)`;

// Most ends are not the last, and leave nothing to decide: then one live branch says so, looked for from the end, as they are taken from
// the start. All 64 were read after each end.
const WAITS_ONLY = `(
    NOT b.fail_fast AND b.policy IS NULL AND coalesce(b.deadline_at > now(), true) AND coalesce(b.gate_at > now(), true)
    AND NOT EXISTS (SELECT 1 FROM state.branch_extra x WHERE x.project_id = b.project_id AND x.batch_id = b.batch_id)
    AND EXISTS (
      SELECT 1 FROM (SELECT u.agent_turn_id FROM unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n) ORDER BY u.n DESC OFFSET 0) u
      CROSS JOIN LATERAL (SELECT 1 FROM state.agent_turns t WHERE t.project_id = b.project_id AND t.agent_turn_id = u.agent_turn_id
        AND t.ended_at IS NULL OFFSET 0) t))`;

const DUE = `
  SELECT b.batch_id, NOT EXISTS (SELECT 1 FROM ${BRANCHES} k WHERE k.status IN ('pending', 'dispatched')) AS is_complete FROM state.pmo_batches b
  WHERE b.project_id = $1 AND b.batch_id = ANY ($2::text[]) AND b.status = 'running'
    AND CASE WHEN ${WAITS_ONLY} THEN false ELSE ${IS_DUE} END
  ORDER BY b.batch_id`;

/** `is_complete`: no branch runs or is held back. */
export type DueBatch = { batch_id: string; is_complete: boolean };

export async function dueBatches(
  kernel: Kernel,
  input: { project_id: string; batch_ids: string[] },
): Promise<DueBatch[]> {
  const { rows } = await kernel.db.pool.query<DueBatch>({
    name: "batches_due",
    text: DUE,
    values: [input.project_id, input.batch_ids],
  });
  return rows;
}
