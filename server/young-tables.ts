// Plans for tables that are still empty. A connection keeps the plan that it made first, and an empty table looks to Postgres as
// if all its indexes were equally good: rows were then looked up by their id through an index that only begins with the
// project, which reads all of the project (a claim of sixteen turns read each turn of it thirty-two times), until the table
// had been counted. So empty tables that were never counted say that a project has many rows.
import type pg from "pg";

/** Postgres 18 and later; an older one plans as it did until its tables are counted. */
const MAY_TELL = "SELECT to_regproc('pg_catalog.pg_restore_attribute_stats') IS NOT NULL AS may_tell";

// A table that has never been counted is taken to have ten pages; creating an index on an empty one counted it. One with rows
// is left alone: what Postgres guesses of it is nearer than what is told here.
const TELL = `
  SELECT CASE WHEN c.reltuples = 0 THEN pg_clear_relation_stats(n.nspname::text, c.relname::text) END,
    pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
      'version', current_setting('server_version_num')::int, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', 1::real)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind = 'r' AND n.nspname IN ('public', 'resource', 'state') AND c.relpages = 0 AND c.reltuples <= 0 AND pg_relation_size(c.oid) = 0
    AND a.attname IN ('project_id', 'tenant_id') AND pg_has_role(c.relowner, 'USAGE')
    AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = n.nspname AND s.tablename = c.relname)`;

/** At each start, before anything is planned. A server that refuses, or is busy with one of the tables, is only slower at first. */
export async function tellYoungTables(client: pg.ClientBase, say: (line: string) => void): Promise<void> {
  try {
    const { rows } = await client.query<{ may_tell: boolean }>(MAY_TELL);
    if (!rows[0]?.may_tell) return;
    await client.query("BEGIN; SET LOCAL lock_timeout = '2s'");
    await client.query(TELL);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    const why = error instanceof Error ? error.message : error;
    say(`Could not set statistics of empty tables; queries may be slow until the tables have rows: ${why}`);
  }
}
