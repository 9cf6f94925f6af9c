// What a worker claimed but has not applied or started when it stops goes back at once. They used to wait until the
// watchdog missed the worker, and a parent stayed suspended although its result was there.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const RELEASE = `
  WITH turns AS (
    UPDATE state.due SET claimed_by = NULL, claimed_at = NULL WHERE claimed_by = $1 AND heartbeat_at IS NULL
    RETURNING project_id, worker_target
  ), messages AS (
    UPDATE state.inbox_messages SET status = 'pending', claimed_by = NULL, processed_at = NULL
    WHERE status = 'processing' AND claimed_by = $1
    RETURNING project_id, worker_target
  )
  SELECT project_id, worker_target FROM turns UNION ALL SELECT project_id, worker_target FROM messages`;

/** How many there were. */
export async function releaseClaimed(kernel: Kernel, worker_id: string): Promise<number> {
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<{ project_id: string; worker_target: string }>("inbox_release", RELEASE, [worker_id]);
    for (const row of rows) unit.ring({ kind: "wakeup", ...row });
    return rows.length;
  });
}
