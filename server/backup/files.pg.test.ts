// The restore drill for the embedded server: its files are copied while rows are written, and a new folder holds all that was
// committed before the copy ended, on a timeline of its own.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb } from "@/server/db";
import { startEmbedded } from "@/server/embedded/start";
import { stopEmbedded } from "@/server/embedded/stop";
import { migrate } from "@/server/migrate";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { loadFiles } from "./load-files";
import { type FilesManifest, readManifest } from "./manifest";
import { saveFiles } from "./save-files";
import { countRows } from "./tables";

let scratch: string;
const at = (name: string) => path.join(scratch, name);
beforeEach(() => {
  scratch = makeScratch();
});
afterEach(async () => {
  for (const name of ["yard", "again"]) await removeScratch(at(name));
  await removeScratch(scratch);
});

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("saved while rows are written, restored beside it: nothing committed before is missing, and it is another database", async () => {
  const yard = await startEmbedded({ dataDir: at("yard"), settings: { fsync: "off" } });
  await migrate(yard.url);
  await ask(
    yard.url,
    "INSERT INTO state.sessions (session_id, expires_at) VALUES ('session_that_was_copied', now() + interval '1 hour')",
  );
  const writer = openDb(yard.url, { name: "switchyard-writer", max: 2 });
  await writer.pool.query("CREATE TABLE written (n int PRIMARY KEY, filler text)");
  let isSaved = false;
  let committed = 0;
  const writing = (async () => {
    for (; !isSaved; committed++)
      await writer.pool.query("INSERT INTO written SELECT $1::int, repeat(md5($1::int::text), 100)", [committed]);
  })();
  while (committed < 50) await new Promise((done) => setTimeout(done, 5));
  const before = committed;
  const { files } = await saveFiles(yard, at("backup"));
  isSaved = true;
  await writing;
  await writer.close();
  expect(files.length).toBeGreaterThan(500);
  expect(fs.statSync(at("backup")).mode & 0o077).toBe(0);

  const manifest = readManifest(at("backup")) as FilesManifest;
  await expect(loadFiles(at("yard"), at("backup"), manifest)).rejects.toThrow(/never overwrites a database/);
  await expect(loadFiles(at("again"), at("backup"), { ...manifest, major: 17 })).rejects.toThrow(
    /files of Postgres 17/,
  );
  // A slow one: it answers for a while before it takes over.
  const again = await loadFiles(at("again"), at("backup"), manifest, { restore_command: "sleep 0.5; false" });
  const [rows] = await ask(again.url, "SELECT count(*)::int AS n, max(n) + 1 AS next FROM written");
  expect(rows?.n).toBe(rows?.next);
  expect(rows?.n).toBeGreaterThanOrEqual(before);
  const installation = "SELECT generation::text, timeline, reason FROM state.installation";
  const [[old], [own]] = [await ask(yard.url, installation), await ask(again.url, installation)];
  expect(own).toMatchObject({ timeline: "00000002", reason: "restored" });
  expect(Number(own?.generation)).toBeGreaterThan(Number(old?.generation));
  const sessions = "SELECT count(*)::int AS n FROM state.sessions";
  expect([await ask(yard.url, sessions), await ask(again.url, sessions)]).toEqual([[{ n: 1 }], [{ n: 0 }]]);
  // What a restore prints: tables with rows, sign-ins left out.
  const counted = await countRows(again.url);
  expect(counted.find(({ name }) => name === "public.written")).toEqual({ name: "public.written", rows: rows?.n });
  expect(counted.map(({ name }) => name)).not.toContain("state.sessions");
  // And it stops and starts as any other.
  await stopEmbedded(at("again"));
  const later = await startEmbedded({ dataDir: at("again") });
  expect(await ask(later.url, "SELECT count(*)::int AS n FROM written")).toEqual([{ n: rows?.n }]);
}, 180_000);

test("a damaged backup is said, and leaves no yard behind", async () => {
  const yard = await startEmbedded({ dataDir: at("yard"), settings: { fsync: "off" } });
  await migrate(yard.url);
  await saveFiles(yard, at("backup"));
  fs.appendFileSync(path.join(at("backup"), "data", "global", "pg_control"), "x");
  const manifest = readManifest(at("backup")) as FilesManifest;
  await expect(loadFiles(at("again"), at("backup"), manifest)).rejects.toThrow(/pg_control of the backup is damaged/);
  expect(fs.readdirSync(at("again")).filter((name) => !name.endsWith(".new"))).toEqual([]);
}, 120_000);
