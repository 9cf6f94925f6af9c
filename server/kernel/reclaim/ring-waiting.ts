// A ring may be lost: targets with due rows are rung again, each once and separately, so that one failure does not affect the
// rest.
import { isWaitingSql } from "../inbox/turn-message";
import type { Kernel, Ring } from "../kernel";

const WAITING = `
  SELECT project_id, worker_target FROM state.inbox_messages
  WHERE status IN ('pending', 'deferred') AND next_retry_at < now() - $1 * interval '1 ms'
  UNION
  SELECT d.project_id, d.worker_target FROM state.due d
  WHERE ${isWaitingSql("d")} AND d.next_retry_at < now() - $1 * interval '1 ms' LIMIT 500`;

export async function ringWaiting(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<Omit<Ring & { kind: "wakeup" }, "kind">>({
    name: "reclaim_waiting",
    text: WAITING,
    values: [kernel.tunables.pendingRingMs],
  });
  const results = await Promise.allSettled(rows.map((row) => kernel.doorbell.ring([{ kind: "wakeup", ...row }])));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return rows.length;
}
