// How the database is replicated, as far as its role may see it: a person who relies on a standby has to know whether it has
// everything.
import type { Replication } from "@/server/contract/health";

export type ReplicationRow = {
  /** Whether the state of other connections is shown to us; without it the columns of a standby are empty. */
  can_see: boolean;
  /** Commits wait for the confirmation of a standby. */
  is_sync: boolean;
  /** Connections that receive the log, including base backups: all that is visible without the right. */
  senders: number;
  standbys: number;
  lag_bytes: number | null;
};

// Connections of logical replication copy tables for somebody else and take nothing over.
export const REPLICATION = `
    (SELECT jsonb_build_object(
        'can_see', pg_has_role('pg_read_all_stats', 'USAGE'),
        'is_sync', current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local'),
        'senders', count(*),
        'standbys', count(*) FILTER (WHERE r.state IN ('streaming', 'catchup')),
        'lag_bytes', max(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, r.flush_lsn))
          FILTER (WHERE r.state IN ('streaming', 'catchup')))
      FROM pg_stat_replication r
      WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots l WHERE l.active_pid = r.pid AND l.slot_type = 'logical'))`;

export function replicationOf(row: ReplicationRow): Replication {
  const { can_see, is_sync, senders, standbys, lag_bytes } = row;
  // A connection receives the log, but its kind is not visible. If there is none, every role can see that.
  if (!can_see && (senders > 0 || is_sync)) return { mode: "unknown" };
  const mode = is_sync ? "sync" : standbys > 0 ? "async" : "none";
  // With `sync` and no standby connected, nothing is acknowledged at all: `writes` says that it waits.
  return {
    mode,
    standbys,
    ...(lag_bytes !== null && { lag_bytes: Math.max(0, lag_bytes) }),
    may_lose: mode !== "sync",
  };
}
