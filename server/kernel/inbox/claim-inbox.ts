// Takes due rows for a worker: SKIP LOCKED, in due order, several at once (claims of 16 quadruple the throughput of one).
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

export type ClaimedRow = {
  project_id: string;
  inbox_id: string;
  agent_id: string;
  message_type: "turn" | "tool_result" | "timeout" | "stop" | "ui_action";
  agent_turn_id: string;
  turn_epoch: number;
  attempt: number;
  worker_target: string;
};

// A worker serves every project unless one is named; within a claim each row keeps its own. '*' takes what nobody who is
// there asks for by name: the built-in worker used to take, and fail, what a worker of another language had come for.
const CLAIM = `
  WITH due AS (
    SELECT project_id, inbox_id FROM state.agent_inbox
    WHERE status IN ('pending', 'deferred') AND next_retry_at <= now()
      AND (worker_target = ANY ($1::text[]) OR ('*' = ANY ($1::text[]) AND NOT EXISTS (
        SELECT 1 FROM state.workers w WHERE agent_inbox.worker_target = ANY (w.targets) AND w.project_id IN ('*', agent_inbox.project_id)
          AND w.seen_at > now() - $5 * interval '1 ms')))
      AND ($4::text IS NULL OR project_id = $4)
    ORDER BY next_retry_at, created_at, inbox_id
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE state.agent_inbox i SET status = 'processing', claimed_by = $2, processed_at = now()
  FROM due WHERE i.project_id = due.project_id AND i.inbox_id = due.inbox_id
  RETURNING i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.attempt, i.worker_target,
    i.next_retry_at, i.created_at`;

export type ClaimInput = { worker_targets: string[]; worker_id: string; limit: number; project_id?: string };

/** Oldest due first. An empty answer is the usual one. */
export async function claimInbox(kernel: Kernel, input: ClaimInput): Promise<ClaimedRow[]> {
  const limit = Math.max(1, Math.min(input.limit, kernel.tunables.claimLimit));
  const rows = await withUnit(kernel, (unit) =>
    unit.query<ClaimedRow & { next_retry_at: string; created_at: string }>("inbox_claim", CLAIM, [
      input.worker_targets,
      input.worker_id,
      limit,
      input.project_id ?? null,
      kernel.tunables.workerSeenMsMax,
    ]),
  );
  // RETURNING has no order.
  rows.sort((a, b) => a.next_retry_at.localeCompare(b.next_retry_at) || a.created_at.localeCompare(b.created_at));
  return rows.map(({ next_retry_at: _due, created_at: _born, ...row }) => row);
}
