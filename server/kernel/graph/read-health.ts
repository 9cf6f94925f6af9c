// What runs, and what keeps turns waiting: answered even when the database is away.
import type { Health, WatchdogFailure, Worker } from "@/server/contract/health";
import { rowServedSql } from "../inbox/who-serves";
import type { Kernel } from "../kernel";
import { wasDiskFull } from "../storage-error";

const NEWEST_MAX = 20;
const HEALTH = `
  SELECT current_setting('server_version') AS version,
    (SELECT coalesce(jsonb_agg(to_jsonb(w) ORDER BY w.started_at), '[]') FROM state.workers w
      WHERE w.seen_at > now() - $1 * interval '1 ms') AS workers,
    (SELECT coalesce(jsonb_agg(DISTINCT i.worker_target), '[]') FROM state.agent_inbox i
      WHERE i.status = 'pending' AND i.next_retry_at < now() - interval '2 s'
        AND NOT (${rowServedSql("$1")})) AS starved,
    (SELECT count(*)::int FROM state.watchdog_failures) AS failing,
    (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.last_seen_at DESC, f.project_id, f.rule, f.row_key), '[]')
      FROM (SELECT * FROM state.watchdog_failures ORDER BY last_seen_at DESC LIMIT ${NEWEST_MAX}) f) AS newest,
    (SELECT extract(epoch FROM now() - min(a.xact_start))::float8 FROM pg_stat_activity a
      WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid()) AS lag`;

/** Since a write last met it: whoever writes meets it again. */
const FULL_MS = 60_000;
const FULL = "the disk of the database is full: it answers what is read, and nothing can be written";

type Row = {
  version: string;
  workers: Worker[];
  starved: string[];
  failing: number;
  newest: WatchdogFailure[];
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
      values: [kernel.tunables.workerSeenMsMax],
    });
    const row = rows[0];
    const starved = row?.starved ?? [];
    const watchdog = { failing: row?.failing ?? 0, newest: row?.newest ?? [] };
    const isFull = wasDiskFull(FULL_MS);
    return {
      status:
        starved.length > 0 || watchdog.failing > 0 || isDeaf || isFull || writes?.status === "waiting"
          ? "degraded"
          : "ok",
      version,
      database: { status: isFull ? "full" : "ok", version: row?.version, ...(isFull && { error: FULL }) },
      ...known,
      workers: row?.workers ?? [],
      starved_targets: starved,
      watchdog,
      live_lag_s: row?.lag && row.lag > 2 ? Math.round(row.lag) : undefined,
    };
  } catch (error) {
    // The message of a driver may hold the URL; the log has it masked, the answer does not need it.
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no answer";
    return {
      status: "down",
      version,
      database: { status: "down", error: reason },
      ...known,
      workers: [],
      starved_targets: [],
      watchdog: { failing: 0, newest: [] },
    };
  }
}
