// Brings a database up to date at start, as `prisma migrate deploy` would, and records the same rows.
// Written here because that command needs the CLI and its engine, takes seconds, and does not wait for a second process.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";

export type MigrateOptions = { folder?: string; onProgress?: (line: string) => void };

/** Applies what is missing and answers the names. Safe from several processes at once: all but one find nothing to do. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "switchyard-migrate" });
  // A server that dies between two statements says so here; unheard, it would take the process with it. The next one tells.
  client.on("error", () => undefined);
  await client.connect();
  try {
    // The lock that Prisma's own CLI takes; it goes with the session.
    await client.query("SELECT pg_advisory_lock(72707369)");
    await client.query("SET client_min_messages = warning");
    await client.query(bookkeeping);
    const recorded = await readRecorded(client);
    const applied: string[] = [];
    for (const migration of readFolder(options.folder ?? defaultFolder)) {
      const checksum = recorded.get(migration.name);
      if (checksum === undefined) {
        options.onProgress?.(`Migrating the database: ${migration.name}`);
        await apply(client, migration);
        applied.push(migration.name);
      } else if (!checksumsOf(migration.sql).includes(checksum)) {
        options.onProgress?.(`Migration ${migration.name} was edited after it was applied to this database`);
      }
    }
    return applied;
  } finally {
    await client.end();
  }
}

type Migration = { name: string; sql: string };

const defaultFolder = path.join(import.meta.dirname, "../prisma/migrations");

const bookkeeping = `CREATE SCHEMA IF NOT EXISTS public;
CREATE TABLE IF NOT EXISTS public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

async function readRecorded(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    `SELECT migration_name, checksum, finished_at FROM public._prisma_migrations
      WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
  const unfinished = rows.find((row) => row.finished_at === null);
  if (unfinished) {
    const name = unfinished.migration_name;
    throw new Error(
      `Migration ${name} was begun by the Prisma CLI and not finished. Repair the database, then run: npx prisma migrate resolve --rolled-back ${name}`,
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function readFolder(folder: string): Migration[] {
  const names = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return names.map((name) => ({ name, sql: fs.readFileSync(path.join(folder, name, "migration.sql"), "utf8") }));
}

// One transaction with its own record: a process killed here leaves neither half, and the next start does it again.
async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const row = [crypto.randomUUID(), checksumsOf(sql)[0], name];
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)", row);
    await client.query(sql);
    await client.query(
      "UPDATE public._prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1",
      row.slice(0, 1),
    );
    await client.query("COMMIT");
  } catch (error) {
    await recordFailure(client, row, error);
    throw new Error(`Migration ${name} failed and was rolled back: ${explain(error, sql)}`, { cause: error });
  }
}

// A lost connection has rolled back by itself and can record nothing.
async function recordFailure(client: pg.Client, row: unknown[], error: unknown): Promise<void> {
  if (!(error instanceof pg.DatabaseError)) return;
  await client.query("ROLLBACK");
  await client.query(
    "INSERT INTO public._prisma_migrations (id, checksum, migration_name, logs, rolled_back_at) VALUES ($1, $2, $3, $4, now())",
    [...row, String(error.stack)],
  );
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || !error.position) return String(error);
  const line = sql.slice(0, Number(error.position)).split("\n").length;
  return `${error.message} (line ${line}${error.hint ? `; ${error.hint}` : ""})`;
}

// A checkout may have changed the line ends since.
function checksumsOf(sql: string): string[] {
  const variants = [sql, sql.replaceAll("\r\n", "\n"), sql.replace(/\r?\n/g, "\r\n")];
  return variants.map((text) => crypto.createHash("sha256").update(text).digest("hex"));
}
