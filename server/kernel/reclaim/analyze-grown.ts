// A connection keeps a plan until the rows of its tables are counted again, which Postgres does about once a
// minute. In the first minutes of an installation a fork ran with plans made for empty tables: 400 ms of server time instead
// of 60. So the watchdog counts a table that has doubled.
import type { Kernel } from "../kernel";

/** Above this, a minute adds less than a tenth, and Postgres' own pace is enough. */
const ROWS_MAX = 100_000;
/** Reading all of a smaller table is as fast as reading it by key. */
const ROWS_MIN = 50;

/**
 * default_statistics_target of these counts. Postgres' own is 100, so they read a tenth of the rows: generic plans only need to tell a unique
 * column from one with few values. Autovacuum uses the normal target later. With 13,000 turns: 53 ms, and 430 before.
 */
const STATISTICS_TARGET = 10;

// Only the columns that rows are looked up by: the JSON of cards takes ten times as long, and no plan depends on it.
const GROWN = `
  SELECT format('%I.%I (%s)', s.schemaname, s.relname, string_agg(DISTINCT quote_ident(a.attname), ', ')) AS name
  FROM pg_stat_user_tables s
  JOIN pg_class c ON c.oid = s.relid
  JOIN pg_index i ON i.indrelid = s.relid
  JOIN pg_attribute a ON a.attrelid = s.relid AND a.attnum = ANY (i.indkey) AND a.atttypid <> 'tsvector'::regtype
  WHERE s.schemaname IN ('public', 'resource', 'state') AND pg_has_role(c.relowner, 'USAGE')
    AND s.n_live_tup >= $1 AND s.n_live_tup >= 2 * c.reltuples AND c.reltuples < $2
  GROUP BY s.schemaname, s.relname, s.n_live_tup ORDER BY s.n_live_tup`;

/** How many tables were analysed. One that another process is analysing is left to it. */
export async function analyzeGrown({ db: { pool } }: Kernel): Promise<number> {
  const { rows } = await pool.query<{ name: string }>({
    name: "grown_tables",
    text: GROWN,
    values: [ROWS_MIN, ROWS_MAX],
  });
  for (const { name } of rows) await analyze(pool, `ANALYZE (SKIP_LOCKED) ${name}`);
  return rows.length;
}

/** Each table in a transaction of its own, which ends the setting, and lets the live view go on as soon as possible. */
async function analyze(pool: Kernel["db"]["pool"], statement: string): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    await client.query("SELECT set_config('default_statistics_target', $1, true)", [STATISTICS_TARGET]);
    await client.query(statement);
    await client.query("COMMIT");
  } catch (error) {
    // The connection is closed: its transaction may still be open.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}
