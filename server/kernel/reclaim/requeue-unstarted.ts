// Rows that were claimed but never used: a turn's goes back to pending after `startMs`, because its claimer died between
// claim and start. Any other, usually a result, goes back if its claimer has been silent for `leaseMs`: the turn that waits
// for it is suspended until then. A live worker may hold one for longer, but not forever: its answer may have been lost.
import type { Kernel } from "../kernel";
import { isLeaseGrace } from "../turns/lease-grace";
import { withUnit } from "../unit";
import { allOrEach, failureJoin, IS_TRIED, inTurn, LIST_MAX, neverFailed, rowKey, type WatchedRow } from "./each-row";

const ago = (ms: string) => `now() - ${ms}::int * interval '1 ms'`;
/** Of a row `i`; $1 startMs, $2 leaseMs, $3 processingMsMax. */
const STALE = `i.status = 'processing' AND i.processed_at < ${ago("least($1::int, $2::int)")} AND CASE WHEN i.message_type = 'turn'
    THEN i.processed_at < ${ago("$1")} AND EXISTS (
      SELECT 1 FROM state.agent_turns t WHERE t.project_id = i.project_id AND t.agent_turn_id = i.agent_turn_id
        AND t.turn_epoch = i.turn_epoch AND t.status = 'dispatched')
    ELSE i.processed_at < ${ago("$2")} AND (i.processed_at < ${ago("$3")} OR NOT EXISTS (
      SELECT 1 FROM state.workers w WHERE w.project_id IN ('*', i.project_id) AND w.worker_id = i.claimed_by
        AND w.seen_at > ${ago("$2")})) END`;

const requeueSql = (which: string) => `
  WITH stale AS (
    SELECT i.project_id, i.inbox_id FROM (
      SELECT i.project_id, i.inbox_id FROM state.agent_inbox i WHERE ${which} AND ${STALE}
      ORDER BY row_number() OVER (PARTITION BY i.project_id ORDER BY i.processed_at), i.processed_at LIMIT ${LIST_MAX}
    ) due JOIN state.agent_inbox i ON i.project_id = due.project_id AND i.inbox_id = due.inbox_id AND ${STALE}
    FOR UPDATE OF i SKIP LOCKED
  )
  UPDATE state.agent_inbox i SET status = 'pending', claimed_by = NULL, processed_at = NULL, attempt = i.attempt + 1, next_retry_at = now()
  FROM stale WHERE i.project_id = stale.project_id AND i.inbox_id = stale.inbox_id
  RETURNING i.project_id, i.worker_target`;
const REQUEUE = requeueSql(neverFailed("requeue-unstarted", "i.project_id", "i.inbox_id"));
const REQUEUE_ONE = requeueSql("i.project_id = $4 AND i.inbox_id = $5");

const LIST = `
  SELECT i.project_id, ${rowKey("i.inbox_id")}
  FROM state.agent_inbox i ${failureJoin("requeue-unstarted", "i.project_id", "i.inbox_id")}
  WHERE ${STALE} AND ${IS_TRIED} AND (f.row_key IS NOT NULL OR NOT $4::boolean)
  ORDER BY ${inTurn("i.project_id", "i.processed_at")} LIMIT ${LIST_MAX}`;

export async function requeueUnstarted(kernel: Kernel): Promise<number> {
  // A claimer that could not reach the database could not start either.
  if (await isLeaseGrace(kernel)) return 0;
  const { startMs, leaseMs, processingMsMax } = kernel.tunables;
  const times = [startMs, leaseMs, processingMsMax];
  const requeue = (brief: Kernel, name: string, text: string, values: unknown[]) =>
    withUnit(brief, async (unit) => {
      const rows = await unit.query<{ project_id: string; worker_target: string }>(name, text, values);
      for (const row of rows) unit.ring({ kind: "wakeup", ...row });
      return rows.length;
    });
  return allOrEach<WatchedRow>(kernel, "requeue-unstarted", {
    batch: (brief) => requeue(brief, "reclaim_unstarted", REQUEUE, times),
    list: async (onlyFailing) =>
      (
        await kernel.db.pool.query<WatchedRow>({
          name: "reclaim_unstarted_list",
          text: LIST,
          values: [...times, onlyFailing],
        })
      ).rows,
    one: ({ project_id, row_key }, brief) =>
      requeue(brief, "reclaim_unstarted_one", REQUEUE_ONE, [...times, project_id, row_key]),
  });
}
