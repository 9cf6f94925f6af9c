// Rows that were claimed and came to nothing: a turn's goes back to pending after `startMs`, any other after
// `processingMsMax`. The claimer died between claim and start.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const REQUEUE = `
  WITH stale AS (
    SELECT i.project_id, i.inbox_id FROM state.agent_inbox i
    WHERE i.status = 'processing'
      AND i.processed_at < now() - (CASE WHEN i.message_type = 'turn' THEN $1::int ELSE $2::int END) * interval '1 ms'
      AND (i.message_type <> 'turn' OR EXISTS (
        SELECT 1 FROM state.agent_state_head h WHERE h.project_id = i.project_id AND h.agent_id = i.agent_id
          AND h.active_agent_turn_id = i.agent_turn_id AND h.turn_epoch = i.turn_epoch AND h.status = 'dispatched'))
    ORDER BY i.processed_at LIMIT 200 FOR UPDATE SKIP LOCKED
  )
  UPDATE state.agent_inbox i SET status = 'pending', claimed_by = NULL, processed_at = NULL, attempt = i.attempt + 1, next_retry_at = now()
  FROM stale WHERE i.project_id = stale.project_id AND i.inbox_id = stale.inbox_id
  RETURNING i.project_id, i.worker_target`;

export async function requeueUnstarted(kernel: Kernel): Promise<number> {
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<{ project_id: string; worker_target: string }>("reclaim_unstarted", REQUEUE, [
      kernel.tunables.startMs,
      kernel.tunables.processingMsMax,
    ]);
    for (const row of rows) unit.ring({ kind: "wakeup", ...row });
    return rows.length;
  });
}
