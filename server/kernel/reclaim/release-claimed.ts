// Rows that a worker claimed and has not applied when it stops: back to pending at once, for the next one. They used to lie
// until the watchdog missed their claimer, and a parent slept on over a result that was there.
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
