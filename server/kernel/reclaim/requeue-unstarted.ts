// What was claimed but never used: a turn goes back to those that wait after `startMs`, because its claimer died between
// claim and start. A message, usually a result, goes back if its claimer has been silent for `leaseMs`: the turn that waits
// for it is suspended until then. A live worker may hold one for longer, but not forever: its answer may have been lost.
import { messageIdSql, turnIdSql } from "../inbox/turn-message";
import type { Kernel } from "../kernel";
import { isLeaseGrace } from "../turns/lease-grace";
import { withUnit } from "../unit";
import { allOrEach, failureJoin, IS_TRIED, inTurn, LIST_MAX, neverFailed, rowKey, type WatchedRow } from "./each-row";

const ago = (ms: string) => `now() - ${ms}::int * interval '1 ms'`;
/** Of a turn `d` and of a message `i`; $1 startMs, $2 leaseMs, $3 processingMsMax. */
const UNSTARTED = `d.claimed_by IS NOT NULL AND d.heartbeat_at IS NULL AND d.claimed_at < ${ago("$1")}`;
const UNUSED = `i.status = 'processing' AND i.processed_at < ${ago("$2")} AND (i.processed_at < ${ago("$3")} OR NOT EXISTS (
      SELECT 1 FROM state.workers w WHERE w.project_id IN ('*', i.project_id) AND w.worker_id = i.claimed_by
        AND w.seen_at > ${ago("$2")}))`;
const TURN_KEY = messageIdSql("d.agent_turn_id");

const requeueSql = (turns: string, messages: string) => `
  WITH unstarted AS (
    SELECT d.project_id, d.agent_turn_id FROM (
      SELECT d.project_id, d.agent_turn_id FROM state.due d WHERE ${turns} AND ${UNSTARTED}
      ORDER BY row_number() OVER (PARTITION BY d.project_id ORDER BY d.claimed_at), d.claimed_at LIMIT ${LIST_MAX}
    ) due JOIN state.due d ON d.project_id = due.project_id AND d.agent_turn_id = due.agent_turn_id AND ${UNSTARTED}
    FOR UPDATE OF d SKIP LOCKED
  ), unused AS (
    SELECT i.project_id, i.inbox_id FROM (
      SELECT i.project_id, i.inbox_id FROM state.inbox_messages i WHERE ${messages} AND ${UNUSED}
      ORDER BY row_number() OVER (PARTITION BY i.project_id ORDER BY i.processed_at), i.processed_at LIMIT ${LIST_MAX}
    ) due JOIN state.inbox_messages i ON i.project_id = due.project_id AND i.inbox_id = due.inbox_id AND ${UNUSED}
    FOR UPDATE OF i SKIP LOCKED
  ), turns AS (
    UPDATE state.due d SET claimed_by = NULL, claimed_at = NULL, attempt = d.attempt + 1, next_retry_at = now()
    FROM unstarted u WHERE d.project_id = u.project_id AND d.agent_turn_id = u.agent_turn_id
    RETURNING d.project_id, d.worker_target
  ), messages AS (
    UPDATE state.inbox_messages i SET status = 'pending', claimed_by = NULL, processed_at = NULL, attempt = i.attempt + 1, next_retry_at = now()
    FROM unused u WHERE i.project_id = u.project_id AND i.inbox_id = u.inbox_id
    RETURNING i.project_id, i.worker_target
  )
  SELECT project_id, worker_target FROM turns UNION ALL SELECT project_id, worker_target FROM messages`;
const REQUEUE = requeueSql(
  neverFailed("requeue-unstarted", "d.project_id", TURN_KEY),
  neverFailed("requeue-unstarted", "i.project_id", "i.inbox_id"),
);
const REQUEUE_ONE = requeueSql(
  `d.project_id = $4 AND d.agent_turn_id = ${turnIdSql("$5")}`,
  "i.project_id = $4 AND i.inbox_id = $5",
);

const LIST = `
  SELECT i.project_id, ${rowKey("i.inbox_id")} FROM (
    SELECT d.project_id, ${TURN_KEY} AS inbox_id, d.claimed_at FROM state.due d WHERE ${UNSTARTED}
    UNION ALL
    SELECT i.project_id, i.inbox_id, i.processed_at FROM state.inbox_messages i WHERE ${UNUSED}
  ) i ${failureJoin("requeue-unstarted", "i.project_id", "i.inbox_id")}
  WHERE ${IS_TRIED} AND (f.row_key IS NOT NULL OR NOT $4::boolean)
  ORDER BY ${inTurn("i.project_id", "i.claimed_at")} LIMIT ${LIST_MAX}`;

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
