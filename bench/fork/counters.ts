// How much work a database did between two readings, counted by the server itself, so that all are measured in the same way.
import pg from "pg";

export type Counts = { statements: number; transactions: number; wal_bytes: number };

/** Settings of a server whose work is counted. No checkpoint happens during a run: after one, Postgres writes whole pages,
 * which would be charged to whoever touches them first. */
export const countableSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": 10_000,
  checkpoint_timeout: "1h",
  max_wal_size: "8GB",
};

// Statements that clients sent: without BEGIN and what is sent in its message (SET LOCAL, the transaction's mark), which are
// counted as transactions, and without the server's own look-ups for deferred foreign keys. Only transactions with an id are
// counted: the server's own counts of all of them lag by up to ten seconds. Transactions and log are those of the whole
// server, so nothing else may use it meanwhile.
const LOOK = `
  SELECT
    coalesce((
      SELECT sum(calls) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = $1 AND s.query !~* '^\\s*(begin|set local|start transaction|commit|rollback|select \\S+ from only|select pg_current_xact_id)'
    ), 0)::float8 AS statements,
    pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS transactions,
    (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal_bytes`;

export type Counter = { look: (database: string) => Promise<Counts>; close: () => Promise<void> };

export async function openCounter(url: string): Promise<Counter> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  return {
    look: async (database) => {
      const { rows } = await client.query<Counts>({ name: "look", text: LOOK, values: [database] });
      if (!rows[0]) throw new Error("the server tells nothing of itself");
      return rows[0];
    },
    close: () => client.end(),
  };
}

export function countsBetween(before: Counts, after: Counts): Counts {
  return {
    statements: after.statements - before.statements,
    transactions: after.transactions - before.transactions,
    wal_bytes: after.wal_bytes - before.wal_bytes,
  };
}
