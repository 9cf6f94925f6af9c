// The restore drill for any Postgres: saved while work goes on, read into another server, and worked on there.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/server/db";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { startEmbedded } from "@/server/embedded/start";
import { onTurnsEnded } from "@/server/kernel/batch/on-turns-ended";
import { readCursor } from "@/server/kernel/journal/read-cursor";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { streamFrames } from "@/server/kernel/read-models/stream-frames";
import { beginSession } from "@/server/kernel/sessions/begin-session";
import { openTestDatabase } from "@/server/testing/database";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { hastyTunables } from "@/server/testing/whole-run";
import { loadTables } from "./load-tables";
import { readManifest, type TablesManifest } from "./manifest";
import { saveTables } from "./save-tables";

const P = "saved";
let kernel: TestKernel;
let scratch: string;
let saved: TablesManifest;
let oldCursor: string;
const dir = () => path.join(scratch, "backup");

beforeAll(async () => {
  kernel = await openTestKernel();
  scratch = makeScratch();
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }])]);
  await beginSession(kernel, { session_id: "session_that_was_copied", life_s: 3_600 });
  const worker = await startTestWorker(kernel);
  const launched: string[] = [];
  let isSaved = false;
  // Work goes on before, while and after the copy is made.
  const working = (async () => {
    while (!isSaved) launched.push((await launchTurn(kernel, P, { target: "Solo" })).agent_turn_id);
  })();
  while (launched.length < 6) await sleep(10);
  oldCursor = await readCursor(kernel, P);
  saved = await saveTables(kernel.test.url, dir());
  isSaved = true;
  await working;
  for (const turn of launched) await untilTurn(kernel, P, turn);
  await worker.stop();
});
afterAll(async () => {
  await kernel.close();
  await removeScratch(scratch);
});

test("the drill: another server holds what was saved, its books are right, and its live view moves", async () => {
  const server = await startEmbedded({ dataDir: path.join(scratch, "other"), settings: { fsync: "off" } });
  try {
    await loadTables(server.url, dir(), readManifest(dir()) as TablesManifest);
    const db = openDb(server.url, { name: "switchyard-restored" });
    const restored: Kernel = createKernel({
      db,
      doorbell: createMemoryDoorbell(),
      onTurnsEnded,
      tunables: hastyTunables,
    });
    const worker = await startTestWorker(restored);
    try {
      expect((await checkInvariants(db.pool, { when: "always" })).violations).toEqual([]);
      const turns = saved.tables.find(({ name }) => name === "state.agent_turns")?.rows ?? 0;
      expect(turns).toBeGreaterThan(5);
      const { cursor, total_turns } = await readSnapshot(restored, { project_id: P, root_turn_id: "all" });
      expect(total_turns).toBe(turns);
      await expect(
        streamFrames(restored, { project_id: P, after: oldCursor, signal: AbortSignal.timeout(5_000) }).next(),
      ).rejects.toThrow(/before a restore/);
      const { agent_turn_id } = await launchTurn(restored, P, { target: "Solo" });
      await untilTurn(restored, P, agent_turn_id);
      let told = false;
      for await (const frames of streamFrames(restored, {
        project_id: P,
        after: cursor,
        signal: AbortSignal.timeout(20_000),
      })) {
        told = frames.some(({ frame }) => frame.kind === "task" && frame.id === agent_turn_id);
        if (told) break;
      }
      expect(told).toBe(true);
      // What hung in the middle when the copy was made has gone on here.
      await expect
        .poll(async () => (await checkInvariants(db.pool, { when: "settled" })).violations, { timeout: 20_000 })
        .toEqual([]);
      expect((await db.pool.query("SELECT reason FROM state.installation")).rows).toEqual([{ reason: "moved" }]);
      // The backup holds who was signed in; nobody is after a restore.
      expect(saved.tables.find(({ name }) => name === "state.sessions")?.rows).toBe(1);
      expect((await db.pool.query("SELECT session_id FROM state.sessions")).rows).toEqual([]);
    } finally {
      await worker.stop();
      await db.close();
    }
  } finally {
    await removeScratch(path.join(scratch, "other"));
  }
}, 90_000);

test("all of a snapshot or nothing: a full database, a damaged file and a newer backup are refused, and leave no row", async () => {
  const manifest = readManifest(dir()) as TablesManifest;
  await expect(loadTables(kernel.test.url, dir(), manifest)).rejects.toThrow(/not empty: .*Nothing was changed/);
  await expect(saveTables(kernel.test.url, dir())).rejects.toThrow(/never overwrites a folder/);
  const later = { name: "20991231000000_later", checksum: "x" };
  const own = await openTestDatabase({ isEmpty: true });
  try {
    await expect(
      loadTables(own.url, dir(), { ...manifest, migrations: [...manifest.migrations, later] }),
    ).rejects.toThrow(/newer Switchyard.*20991231000000_later/);
    const cards = manifest.tables.find(({ name }) => name === "public.cards");
    const damaged = { ...manifest, tables: manifest.tables.map((t) => (t === cards ? { ...t, digest: "1" } : t)) };
    await expect(loadTables(own.url, dir(), damaged)).rejects.toThrow(
      /public.cards was restored with .*Nothing was kept/,
    );
    const broken = path.join(scratch, "broken");
    fs.cpSync(dir(), broken, { recursive: true });
    fs.truncateSync(path.join(broken, cards?.file ?? ""), 40);
    await expect(loadTables(own.url, broken, manifest)).rejects.toThrow();
    const { rows } = await own.pool.query(
      "SELECT (SELECT count(*)::int FROM projects) AS projects, (SELECT count(*)::int FROM cards) AS cards",
    );
    expect(rows).toEqual([{ projects: 0, cards: 0 }]);
    await loadTables(own.url, dir(), manifest);
    expect((await own.pool.query("SELECT count(*)::int AS n FROM cards")).rows).toEqual([{ n: cards?.rows }]);
  } finally {
    await own.close();
  }
});
