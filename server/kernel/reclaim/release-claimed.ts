// Rows that a worker claimed but has not applied when it stops go back to pending at once. They used to wait until the
// watchdog missed the worker, and a parent stayed suspended although its result was there.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const RELEASE = `
  UPDATE state.agent_inbox SET status = 'pending', claimed_by = NULL, processed_at = NULL
  WHERE status = 'processing' AND claimed_by = $1
  RETURNING project_id, worker_target`;

/** How many there were. */
export async function releaseClaimed(kernel: Kernel, worker_id: string): Promise<number> {
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<{ project_id: string; worker_target: string }>("inbox_release", RELEASE, [worker_id]);
    for (const row of rows) unit.ring({ kind: "wakeup", ...row });
    return rows.length;
  });
}
