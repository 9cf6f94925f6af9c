// Migrations beside others: another process that migrates, a long transaction, a pooler, and a program that is too old.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

let db: TestDatabase;
let scratch: string;

beforeAll(async () => {
  db = await openTestDatabase({ isEmpty: true });
  scratch = makeScratch();
});
afterAll(async () => {
  await db.close();
  await removeScratch(scratch);
});

test("behind a pooler no lock stays with the connection: the next one that is given it does not wait", async () => {
  // Of its own at each try: what an earlier one has migrated is not migrated again.
  const name = `91_pooled_${Date.now()}`;
  const folder = folderOf(name, { [name]: `CREATE TABLE "${name}" (n int)` });
  // The server is shared with other tests, and pg_locks shows the locks of all its databases.
  const locks = async (more = "") =>
    (
      await db.pool.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' ${more}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rows;
  const other = await sessionOf(db, "pooled");
  try {
    // Somebody migrates: no lock is waited for meanwhile, and it is told once that one waits.
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(72707369)");
    const lines: string[] = [];
    const waiting = migrate(db.url, { folder, onProgress: (line) => lines.push(line) });
    await expect.poll(() => lines).toEqual([`Migration ${name} waits: another process migrates`]);
    expect(await locks("AND NOT granted")).toEqual([]);
    await other.query("COMMIT");
    expect(await waiting).toEqual([name]);
    expect(await locks()).toEqual([]);
    // Nothing to do: not even a look at the lock.
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(72707369)");
    expect(await migrate(db.url, { folder })).toEqual([]);
    await other.query("COMMIT");
  } finally {
    await other.end();
  }
});

test("a long transaction is named while a migration waits for it, and others get their locks meanwhile", async () => {
  await migrate(db.url, { folder: folderOf("w1", { "92_busy": "CREATE TABLE busy (n int)" }) });
  const report = await sessionOf(db, "a-report");
  const reader = await sessionOf(db, "reader");
  try {
    await report.query("BEGIN; SELECT FROM busy");
    const lines: string[] = [];
    const folder = folderOf("w2", { "93_busy": "SET LOCAL lock_timeout = 200; ALTER TABLE busy ADD m int" });
    const waiting = migrate(db.url, { folder, onProgress: (line) => lines.push(line) });
    await expect
      .poll(() => lines.some((line) => /waits: .*a-report.* is open for/.test(line)), { timeout: 15_000 })
      .toBe(true);
    await reader.query("SELECT FROM busy");
    await report.query("COMMIT");
    expect(await waiting).toEqual(["93_busy"]);
  } finally {
    await Promise.all([report.end(), reader.end()]);
  }
});

test("an older program on a newer database refuses with words, unless it is told that it may", async () => {
  const own = await openTestDatabase();
  try {
    await own.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '20991231000000_later', now())",
    );
    await expect(migrate(own.url)).rejects.toThrow(
      /belongs to a newer Switchyard: it has a migration .*20991231000000_later.*SWITCHYARD_NEWER_DATABASE=allow/,
    );
    expect(await migrate(own.url, { mayBeOlder: true })).toEqual([]);
  } finally {
    await own.close();
  }
});

function folderOf(name: string, migrations: Record<string, string>): string {
  const folder = path.join(scratch, name);
  for (const [migration, sql] of Object.entries(migrations)) {
    fs.mkdirSync(path.join(folder, migration), { recursive: true });
    fs.writeFileSync(path.join(folder, migration, "migration.sql"), sql);
  }
  return folder;
}

async function sessionOf({ url }: TestDatabase, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
