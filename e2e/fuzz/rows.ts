// Whether anything in the database has changed: compares every table by the versions of its rows.
import type pg from "pg";

/** Written whether a request is refused or not: the answers kept for repeats under the same key, late writes, and the regular
 * proof that a commit succeeds. */
const beside = new Set(["state.idempotency_keys", "state.kept_results", "state.journal_packs", "state.write_proofs"]);

export type Rows = Record<string, string>;

export async function readRows(pool: pg.Pool): Promise<Rows> {
  const tables = await tablesOf(pool);
  const parts = tables.map(
    (table) =>
      `SELECT '${table}' AS name, count(*) || ' ' || coalesce(sum(hashtext(t.ctid::text || t.xmin::text)::bigint), 0) AS mark FROM ${table} t`,
  );
  const { rows } = await pool.query<{ name: string; mark: string }>(parts.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, mark }) => [name, mark]));
}

/** The tables that differ. */
export function changedIn(before: Rows, after: Rows): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}

let known: string[] | undefined;

async function tablesOf(pool: pg.Pool): Promise<string[]> {
  if (known) return known;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'resource', 'state') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> '_prisma_migrations' ORDER BY 1`,
  );
  known = rows.map(({ name }) => name).filter((name) => !beside.has(name));
  return known;
}
