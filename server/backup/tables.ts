// Which tables a backup holds, in the order in which they can be filled, and what says that two databases hold the same.
import type pg from "pg";
import { makeClient } from "@/server/address";

export type Table = { name: string; columns: string[] };
export type Sequence = { name: string; last_value: string; is_called: boolean };
export type Content = { rows: number; digest: string };

/** Which database it is, and where another one's journal ended, is its own (server/installation.ts). */
const OWN = ["public._prisma_migrations", "state.installation", "state.journal_floor"];

/**
 * A session for a backup or a restore: texts of rows must read the same on both sides, and long statements are the point. Rows of a
 * project that is half deleted are read in as they are.
 */
export async function openSession(url: string, signal?: AbortSignal): Promise<pg.Client> {
  // A table takes as long as it takes.
  const client = makeClient({ url, name: "switchyard-backup", statementMs: 0 });
  client.on("error", () => undefined);
  await client.connect();
  // A statement under way fails with its session: a COPY that waits for a lock would keep a process that is told to stop.
  signal?.addEventListener("abort", () => void client.end(), { once: true });
  await client.query(`SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1;
    SET bytea_output = 'hex'; SET switchyard.restoring = on; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0`);
  return client;
}

/** Whoever is referred to comes first. Parts of a partitioned journal, and those set aside, are left to its owner. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
       ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT DISTINCT format('%I.%I', rn.nspname, r.relname) FROM pg_constraint f
         JOIN pg_class r ON r.oid = f.confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
         WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS needs
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'resource', 'state') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'journal_parts' AND NOT starts_with(c.relname, 'journal_before_') AND format('%I.%I', n.nspname, c.relname) <> ALL ($1)
     ORDER BY 1`,
    [OWN],
  );
  const ordered: Table[] = [];
  const done = new Set<string>();
  for (let left = rows; left.length > 0; ) {
    const ready = left.filter(({ needs }) => needs.every((name) => done.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${left.map(({ name }) => name)}`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      done.add(name);
    }
    left = left.filter(({ name }) => !done.has(name));
  }
  return ordered;
}

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences
     WHERE schemaname IN ('public', 'resource', 'state') ORDER BY 1`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const { rows } = await client.query<Omit<Sequence, "name">>(
      `SELECT last_value::text AS last_value, is_called FROM ${name}`,
    );
    sequences.push(...rows.map((row) => ({ name, ...row })));
  }
  return sequences;
}

/** What a database holds now, table by table; those without a row are left out. */
export async function countRows(url: string): Promise<{ name: string; rows: number }[]> {
  const client = await openSession(url);
  try {
    const counted: { name: string; rows: number }[] = [];
    for (const table of await listTables(client)) {
      const { rows } = await contentOf(client, table);
      if (rows > 0) counted.push({ name: table.name, rows });
    }
    return counted;
  } finally {
    await client.end();
  }
}

/** Of all rows, in whatever order they lie. */
export async function contentOf(client: pg.Client, { name, columns }: Table): Promise<Content> {
  const { rows } = await client.query<Content>(
    `SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)::text AS digest
     FROM (SELECT ${columns.join(", ")} FROM ${name}) r`,
  );
  return rows[0] ?? { rows: 0, digest: "0" };
}
