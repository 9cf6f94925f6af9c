import fs from "node:fs";
import path from "node:path";
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

test("the product's own migrations apply to an empty database, and a second time nothing happens", async () => {
  const lines: string[] = [];
  const first = await migrate(db.url, { onProgress: (line) => lines.push(line) });
  expect(first).toEqual(
    fs
      .readdirSync("prisma/migrations")
      .filter((name) => name !== "migration_lock.toml")
      .sort(),
  );
  expect(lines).toHaveLength(first.length);
  expect(await migrate(db.url)).toEqual([]);
});

test("eight processes at once apply each migration once", async () => {
  const folder = folderOf("race", { "1_one": "CREATE TABLE race (n int); INSERT INTO race VALUES (1);" });
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(db.url, { folder })));
  expect(results.flat()).toEqual(["1_one"]);
  const { rows } = await db.pool.query("SELECT n FROM race");
  expect(rows).toEqual([{ n: 1 }]);
});

test("a failing migration leaves nothing of itself, names the line, keeps what came before, and can be repaired", async () => {
  const good = "CREATE TABLE kept (n int);";
  const bad = folderOf("bad", { "2_good": good, "3_bad": "CREATE TABLE half (n int);\nSELECT nonsense;" });
  await expect(migrate(db.url, { folder: bad })).rejects.toThrow(
    /3_bad failed and was rolled back: .*nonsense.*line 2/,
  );
  const tables = await db.pool.query("SELECT to_regclass('kept') AS kept, to_regclass('half') AS half");
  expect(tables.rows).toEqual([{ kept: "kept", half: null }]);
  const repaired = folderOf("good", { "2_good": good, "3_bad": "CREATE TABLE half (n int);" });
  expect(await migrate(db.url, { folder: repaired })).toEqual(["3_bad"]);
  const { rows } = await db.pool.query(
    "SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS rolled_back, logs LIKE '%nonsense%' AS logged FROM _prisma_migrations WHERE migration_name = '3_bad' ORDER BY started_at",
  );
  expect(rows).toEqual([
    { finished: false, rolled_back: true, logged: true },
    { finished: true, rolled_back: false, logged: null },
  ]);
});

test("a migration edited after it was applied is said, not applied again; other line ends are no edit", async () => {
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  await migrate(db.url, { folder: folderOf("e1", { "4_edit": "SELECT 1;\nSELECT 2;\n" }) });
  await migrate(db.url, { folder: folderOf("e2", { "4_edit": "SELECT 1;\r\nSELECT 2;\r\n" }), onProgress });
  expect(lines).toEqual([]);
  expect(await migrate(db.url, { folder: folderOf("e3", { "4_edit": "SELECT 3;" }), onProgress })).toEqual([]);
  expect(lines).toEqual(["Migration 4_edit was edited after it was applied to this database"]);
});

test("a migration that the Prisma CLI left unfinished stops the start with a remedy", async () => {
  await db.pool.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '5_unfinished')",
  );
  await expect(migrate(db.url)).rejects.toThrow(/npx prisma migrate resolve --rolled-back 5_unfinished/);
});

function folderOf(name: string, migrations: Record<string, string>): string {
  const folder = path.join(scratch, name);
  for (const [migration, sql] of Object.entries(migrations)) {
    fs.mkdirSync(path.join(folder, migration), { recursive: true });
    fs.writeFileSync(path.join(folder, migration, "migration.sql"), sql);
  }
  return folder;
}
