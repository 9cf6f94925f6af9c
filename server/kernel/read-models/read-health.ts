// What is running, and what keeps turns waiting; answers even when the database is away. The page and /api/v1/health both use
// it, so that each figure has one meaning.
import type { Generation, Health, RowFinding, Waiting, WatchdogFailure, Worker } from "@/server/contract/health";
import { isWaitingSql, turnIdSql } from "../inbox/turn-message";
import { rowServedSql } from "../inbox/who-serves";
import { isoSql } from "../journal/told";
import type { Kernel } from "../kernel";
import { wasDiskFull } from "../storage-error";
import { REPLICATION, type ReplicationRow, replicationOf } from "./replication";

const NEWEST_MAX = 20;
const WAITING_MAX = 50;
/** Twelve ticks of a watchdog. */
const OVERDUE_MS = 60_000;

// The turn behind a row, by what the row's key is.
const TURN_OF = `
  CASE f.rule
    WHEN 'take-over' THEN f.row_key
    WHEN 'expire-tools' THEN (SELECT w.agent_turn_id FROM state.turn_waiting_tools w
      WHERE w.project_id = f.project_id AND w.tool_call_id = f.row_key LIMIT 1)
    WHEN 'ring-commands' THEN (SELECT w.agent_turn_id FROM state.turn_waiting_tools w
      WHERE w.project_id = f.project_id AND w.tool_call_id = f.row_key LIMIT 1)
    WHEN 'expire-requests' THEN (SELECT r.agent_turn_id FROM state.human_requests r
      WHERE r.project_id = f.project_id AND r.request_id = f.row_key)
    WHEN 'settle-batches' THEN (SELECT b.parent_agent_turn_id FROM state.pmo_batches b
      WHERE b.project_id = f.project_id AND b.batch_id = f.row_key)
    WHEN 'requeue-unstarted' THEN coalesce((SELECT i.agent_turn_id FROM state.inbox_messages i
        WHERE i.project_id = f.project_id AND i.inbox_id = f.row_key),
      (SELECT d.agent_turn_id FROM state.due d WHERE d.project_id = f.project_id AND d.agent_turn_id = ${turnIdSql("f.row_key")}))
    WHEN 'lease-idle' THEN (SELECT d.agent_turn_id FROM state.due d
      WHERE d.project_id = f.project_id AND d.queued_for = f.row_key ORDER BY d.created_at LIMIT 1)
  END`;

// Grouped before it looks up who serves: done for each row, a backlog of 100,000 was looked up 100,000 times.
const HEALTH = `
  WITH waiting AS (
    SELECT i.project_id, i.worker_target, i.needs_own_worker, count(*)::int AS rows, min(i.next_retry_at) AS oldest_at,
      bool_or(i.is_pending AND i.next_retry_at < now() - interval '2 s') AS is_late
    FROM (
      SELECT m.project_id, m.worker_target, m.needs_own_worker, m.next_retry_at, m.status = 'pending' AS is_pending
      FROM state.inbox_messages m WHERE m.status IN ('pending', 'deferred') AND m.next_retry_at <= now()
      UNION ALL
      SELECT d.project_id, d.worker_target, d.needs_own_worker, d.next_retry_at, true
      FROM state.due d WHERE ${isWaitingSql("d")} AND d.next_retry_at <= now()
    ) i WHERE i.project_id NOT IN (SELECT project_id FROM projects WHERE removed_at IS NOT NULL)
    GROUP BY i.project_id, i.worker_target, i.needs_own_worker
  ), groups AS MATERIALIZED (
    SELECT i.*, ${rowServedSql("$1")} AS is_served FROM waiting i
  )
  SELECT current_setting('server_version') AS version,
    (SELECT coalesce(jsonb_agg(to_jsonb(w) ORDER BY w.started_at), '[]') FROM state.workers w
      WHERE w.seen_at > now() - $1 * interval '1 ms') AS workers,
    (SELECT coalesce(jsonb_agg(DISTINCT g.worker_target), '[]') FROM groups g WHERE g.is_late AND NOT g.is_served) AS starved,
    (SELECT jsonb_build_object('groups', count(*), 'rows', coalesce(sum(g.rows), 0)) FROM groups g) AS waiting,
    (SELECT coalesce(jsonb_agg(to_jsonb(g) ORDER BY g.is_served, g.oldest_at, g.project_id, g.worker_target), '[]') FROM (
      SELECT g.project_id, p.title AS project_title, g.worker_target, g.needs_own_worker, g.rows, g.oldest_at, g.is_served
      FROM groups g JOIN projects p ON p.project_id = g.project_id ORDER BY g.is_served, g.oldest_at LIMIT ${WAITING_MAX}) g) AS first,
    (SELECT count(*)::int FROM state.watchdog_failures) AS failing,
    (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.last_seen_at DESC, f.project_id, f.rule, f.row_key), '[]')
      FROM (SELECT f.project_id, f.rule, f.row_key, f.attempts, f.error_code, f.last_error, f.first_seen_at, f.last_seen_at,
          f.next_try_at, p.title AS project_title, ${TURN_OF} AS agent_turn_id
        FROM state.watchdog_failures f JOIN projects p ON p.project_id = f.project_id
        ORDER BY f.last_seen_at DESC LIMIT ${NEWEST_MAX}) f) AS newest,
    (SELECT count(*)::int FROM projects WHERE deleting_at IS NULL AND removed_at < now() - ($2 + ${OVERDUE_MS}) * interval '1 ms') AS overdue,
    (SELECT jsonb_build_object('findings', (SELECT count(*) FROM state.row_findings), 'rows', coalesce(max(c.rows), 0),
        'began_at', ${isoSql("max(c.began_at)")}, 'ended_at', ${isoSql("max(c.ended_at)")}) FROM state.row_checks c) AS checked,
    (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.found_at DESC, f.project_id, f.rule, f.row_key), '[]') FROM (
      SELECT f.project_id, coalesce(p.title, f.project_id) AS project_title, f.rule, f.row_key, f.what, f.found_at
      FROM state.row_findings f LEFT JOIN projects p ON p.project_id = f.project_id
      ORDER BY f.found_at DESC LIMIT ${NEWEST_MAX}) f) AS found,
    (SELECT jsonb_build_object('generation', n.generation, 'reason', n.reason, 'began_at', n.began_at)
      FROM state.installation n) AS generation,
    ${REPLICATION} AS replication,
    (SELECT extract(epoch FROM now() - min(a.xact_start))::float8 FROM pg_stat_activity a
      WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid()) AS lag`;

/** Since a write last met a full disk: the next writer will meet it again. */
const FULL_MS = 60_000;
const FULL = "the disk of the database is full: reads work, but nothing can be written";

type Row = {
  version: string;
  workers: Worker[];
  starved: string[];
  waiting: { groups: number; rows: number };
  first: Waiting[];
  failing: number;
  overdue: number;
  newest: (Omit<WatchdogFailure, "agent_turn_id"> & { agent_turn_id: string | null })[];
  checked: { findings: number; rows: number; began_at: string | null; ended_at: string | null };
  found: RowFinding[];
  generation: Generation | null;
  replication: ReplicationRow;
  lag: number | null;
};

export async function readHealth(kernel: Kernel, version: string): Promise<Health> {
  const bell = kernel.doorbell;
  const isDeaf = bell.isDeaf?.() ?? false;
  const doorbell = { kind: bell.kind, status: isDeaf ? "deaf" : bell.isConnected() ? "ok" : "down" } as const;
  const writes = kernel.writes?.();
  const known = { doorbell, ...(bell.events && { events: bell.events() }), ...(writes && { writes }) };
  try {
    const { rows } = await kernel.db.pool.query<Row>({
      name: "health",
      text: HEALTH,
      values: [kernel.tunables.workerSeenMsMax, kernel.tunables.removedMs],
    });
    const [row] = rows;
    if (!row) throw new Error("a statement without FROM gave no row");
    const { starved } = row;
    const watchdog = {
      failing: row.failing,
      overdue: row.overdue,
      newest: row.newest.map((one) => ({ ...one, agent_turn_id: one.agent_turn_id ?? undefined })),
    };
    const { findings, rows: looked, began_at, ended_at } = row.checked;
    const checks = {
      findings,
      newest: row.found,
      rows: looked,
      began_at: began_at ?? undefined,
      ended_at: ended_at ?? undefined,
    };
    const isFull = wasDiskFull(FULL_MS);
    return {
      status:
        starved.length > 0 ||
        watchdog.failing > 0 ||
        watchdog.overdue > 0 ||
        checks.findings > 0 ||
        isDeaf ||
        isFull ||
        writes?.status === "waiting" ||
        known.events === "unavailable"
          ? "degraded"
          : "ok",
      version,
      database: { status: isFull ? "full" : "ok", version: row.version, ...(isFull && { error: FULL }) },
      ...known,
      replication: replicationOf(row.replication),
      ...(row.generation && { generation: row.generation }),
      workers: row.workers,
      starved_targets: starved,
      waiting: { ...row.waiting, first: row.first },
      watchdog,
      checks,
      live_lag_s: row.lag && row.lag > 2 ? Math.round(row.lag) : undefined,
    };
  } catch (error) {
    // A driver's message may contain the URL; the log has it masked, and the answer does not need it.
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no answer";
    return {
      status: "down",
      version,
      database: { status: "down", error: reason },
      ...known,
      workers: [],
      starved_targets: [],
      waiting: { groups: 0, rows: 0, first: [] },
      watchdog: { failing: 0, newest: [], overdue: 0 },
      checks: { findings: 0, newest: [], rows: 0 },
    };
  }
}
