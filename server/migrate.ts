// Brings a database up to date at start, as `prisma migrate deploy` would, and records the same rows.
// Written here because that command needs the CLI and its engine, takes seconds, and does not wait for a second process.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeClient } from "./address";
import { noteServer } from "./installation";
import { tellYoungTables } from "./young-tables";

export type MigrateOptions = {
  folder?: string;
  onProgress?: (line: string) => void;
  /** No others: a backup is read into tables as they were when it was made. */
  only?: string[];
  /** Goes on where the database knows migrations that this program does not. */
  mayBeOlder?: boolean;
};

/**
 * Applies what is missing and answers the names. Safe from several processes at once: all but one find nothing to do. No
 * state of a session: behind a pooler a lock of the session stayed with a connection that others were then given.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { own, given } = nameIn(url);
  // No limit: an index over a big table takes its time, and so does another migrator that is waited for.
  const client = makeClient({ url: own, name: ownName, statementMs: 0 });
  // A server that dies between two statements says so here; unheard, it would take the process with it. The next one tells.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const migrations = readFolder(options.folder ?? defaultFolder);
    const recorded = await readRecorded(client);
    if (!options.folder && !options.mayBeOlder) refuseNewer(migrations, [...recorded.keys(), ...(options.only ?? [])]);
    const run: Run = {
      client,
      say: options.onProgress ?? (() => undefined),
      given,
      isFirst: recorded.size === 0,
      ended: 0,
    };
    const applied: string[] = [];
    for (const migration of migrations.filter(({ name }) => options.only?.includes(name) ?? true)) {
      const checksum = recorded.get(migration.name);
      if (checksum === undefined) {
        if (await apply(run, migration)) applied.push(migration.name);
      } else if (!checksumsOf(migration.sql).includes(checksum)) {
        run.say(`Migration ${migration.name} was edited after it was applied to this database`);
      }
    }
    // Whoever serves must have been here, even where another process made the tables a moment ago.
    if (!options.only) await tellYoungTables(client, run.say);
    // Who serves from here on may rely on the row that says which database this is.
    await noteServer(client);
    if (run.ended > 0) run.say(`Sessions ended that knew the tables as they were: ${run.ended}`);
    return applied;
  } finally {
    await client.end();
  }
}

/** `given` = the name that the URL gives all processes; `isFirst` = nobody can know tables that are not there yet. */
type Run = { client: pg.Client; say: (line: string) => void; given: string; isFirst: boolean; ended: number };
type Migration = { name: string; sql: string };

const ownName = "switchyard-migrate";

// These keep no plans, and are there to be seen, or for one question: a bell, an embedded server's keeper, a stop, a probe.
const spared = [ownName, "switchyard-doorbell", "switchyard-keeper", "switchyard-stop", "switchyard-probe"];

const defaultFolder = path.join(import.meta.dirname, "../prisma/migrations");

const bookkeeping = `CREATE SCHEMA IF NOT EXISTS public;
CREATE TABLE IF NOT EXISTS public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

// Without a lock: at nearly every start there is nothing to do.
async function readRecorded(client: pg.Client): Promise<Map<string, string>> {
  const { rows: there } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS is_there",
  );
  if (!there[0]?.is_there) return new Map();
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

// An older program would write rows that the newer one no longer understands, and nobody would hear of it.
function refuseNewer(migrations: Migration[], recorded: string[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = recorded.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `This database or backup belongs to a newer Switchyard: it has ${unknown.length === 1 ? "a migration" : `${unknown.length} migrations`} that this one does not know (${unknown.sort().at(-1)}). Start the newer version, or restore a backup of before into another database. To go back one version all the same, set SWITCHYARD_NEWER_DATABASE=allow.`,
  );
}

function readFolder(folder: string): Migration[] {
  const names = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return names.map((name) => ({ name, sql: fs.readFileSync(path.join(folder, name, "migration.sql"), "utf8") }));
}

// An application_name in the URL overrides every process's own: then it is the name of the others too, and another migrator
// that waits for the lock, or is just on its way to it, would be ended as one of them.
function nameIn(url: string): { own: string; given: string } {
  let given = "switchyard";
  const own = url.replace(/(?<=[?&]application_name=)[^&]*/, (name) => {
    given = decodeURIComponent(name);
    return ownName;
  });
  return { own, given };
}

const giveUpMs = 10 * 60_000;
const sayAgainMs = 10_000;

// Whoever writes meanwhile takes locks in an order of its own; of two that wait for each other Postgres gives up this one,
// which has waited longer. And who waits for a lock of a table holds up everybody behind it: not for long, but again. It was
// an upgrade that failed at a busy hour, and starts again only with the process.
async function apply(run: Run, migration: Migration): Promise<boolean> {
  const row = [crypto.randomUUID(), checksumsOf(migration.sql)[0], migration.name];
  const started = Date.now();
  let said = started - sayAgainMs;
  for (let attempt = 1; ; attempt++) {
    let reason: string;
    try {
      const outcome = await applyOnce(run, migration, row);
      if (outcome !== "busy") return outcome === "applied";
      reason = "another process migrates";
    } catch (error) {
      if (Date.now() - started > giveUpMs || !isLockLost(error)) {
        await recordFailure(run.client, row, error);
        throw new Error(`Migration ${migration.name} failed and was rolled back: ${explain(error, migration.sql)}`, {
          cause: error,
        });
      }
      await run.client.query("ROLLBACK");
      reason = await oldestWriter(run.client);
    }
    if (Date.now() - said >= sayAgainMs && attempt > 3) {
      said = Date.now();
      run.say(`Migration ${migration.name} waits: ${reason}`);
    }
    await sleep(50 + Math.random() * 50 * Math.min(attempt, 20));
  }
}

// Prisma's own CLI takes the same lock. A first migration makes the table that the others look into.
const LOCK = "SELECT pg_try_advisory_xact_lock(72707369) AS is_mine";
const IS_APPLIED =
  "SELECT FROM public._prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL AND finished_at IS NOT NULL";

// One transaction with its own record: a process killed here leaves neither half, and the next start does it again.
async function applyOnce(run: Run, { sql, name }: Migration, row: unknown[]): Promise<"applied" | "there" | "busy"> {
  const { client } = run;
  await client.query("BEGIN; SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = '2s'");
  const [mine] = (await client.query<{ is_mine: boolean }>(LOCK)).rows;
  if (!mine?.is_mine) {
    await client.query("ROLLBACK");
    return "busy";
  }
  await client.query(bookkeeping);
  if ((await client.query(IS_APPLIED, [name])).rows.length > 0) {
    await client.query("ROLLBACK");
    return "there";
  }
  run.say(`Migrating the database: ${name}`);
  await client.query("INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)", row);
  await client.query(sql);
  await client.query(
    "UPDATE public._prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1",
    row.slice(0, 1),
  );
  const ended = run.isFirst ? 0 : await endSessions(client, run.given);
  await client.query("COMMIT");
  run.ended += ended;
  return "applied";
}

async function oldestWriter(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT format('the transaction of session %s (%s) is open for %s s', pid, coalesce(nullif(application_name, ''), usename),
        extract(epoch FROM now() - xact_start)::int) AS who
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
  );
  return rows[0]?.who ?? "its lock was taken by others";
}

// A prepared `SELECT *` fails with "cached plan must not change result type" for as long as its session lives: running old
// processes failed every turn until they were replaced. Before the commit and still under its locks, so that nobody plans
// between the two, and a migrator killed behind it leaves no session that nobody ends any more.
async function endSessions(client: pg.Client, given: string): Promise<number> {
  const { rows } = await client.query<{ ended: boolean }>(
    `SELECT pg_terminate_backend(pid, 1000) AS ended FROM pg_stat_activity
     WHERE datname = current_database() AND usename = session_user AND pid <> pg_backend_pid()
       AND (starts_with(application_name, 'switchyard') OR application_name = $1) AND application_name <> ALL ($2::text[])`,
    [given, spared],
  );
  return rows.filter((row) => row.ended).length;
}

// A deadlock, or a lock_timeout that the role or the database sets.
function isLockLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40P01" || error.code === "55P03");
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
  // Whose view stands in the way is said in the detail alone. (Other details hold rows.)
  if (error instanceof pg.DatabaseError && error.code === "2BP01") return `${error.message} (${error.detail})`;
  if (!(error instanceof pg.DatabaseError) || !error.position) return String(error);
  const line = sql.slice(0, Number(error.position)).split("\n").length;
  return `${error.message} (line ${line}${error.hint ? `; ${error.hint}` : ""})`;
}

// A checkout may have changed the line ends since.
function checksumsOf(sql: string): string[] {
  const variants = [sql, sql.replaceAll("\r\n", "\n"), sql.replace(/\r?\n/g, "\r\n")];
  return variants.map((text) => crypto.createHash("sha256").update(text).digest("hex"));
}
