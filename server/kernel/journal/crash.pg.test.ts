// After a crash Postgres gives transaction ids again that had reached no disk. A reader that had caught up stands above them.
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDb } from "@/server/db";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { startEmbedded } from "@/server/embedded/start";
import { stopEmbedded } from "@/server/embedded/stop";
import { migrate } from "@/server/migrate";
import { seedProject } from "@/server/testing/kernel";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { createKernel, type Kernel } from "../kernel";
import { streamFrames } from "../read-models/stream-frames";
import { withUnit } from "../unit";
import { parseCursor } from "./cursor";
import { readCursor } from "./read-cursor";

const P = "p1";
// A long delay keeps what was rolled back off the disk.
const settings = { wal_writer_delay: "10s" };
let dataDir: string;
let url: string;

beforeAll(async () => {
  dataDir = makeScratch();
  ({ url } = await startEmbedded({ dataDir, settings }));
  await migrate(url);
  await inProcess((kernel) => seedProject(kernel, P));
}, 60_000);
afterAll(() => removeScratch(dataDir));

async function inProcess<T>(work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const db = openDb(url, { name: "switchyard-one", max: 3 });
  try {
    return await work(createKernel({ db, doorbell: createMemoryDoorbell() }));
  } finally {
    await db.close();
  }
}

/** With a bare client, which does not look at the installation. */
async function ask<T extends object>(text: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

async function crash(): Promise<void> {
  const victim = new pg.Client(url);
  victim.on("error", () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  process.kill(rows[0]?.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => ask("SELECT 1"), { timeout: 20_000, interval: 100 });
}

const put = (kernel: Kernel, id: string) =>
  withUnit(kernel, async (unit) =>
    unit.frame(P, { kind: "box", id, rev: 1, box_kind: "plain", length: 0, token_sum: 0 }),
  );
const nextOf = (kernel: Kernel, after: string) =>
  streamFrames(kernel, { project_id: P, after, signal: AbortSignal.timeout(10_000) }).next();
const xidOf = async (id: string) =>
  (await ask<{ xid: string }>(`SELECT xid::text AS xid FROM state.journal WHERE frame ->> 'id' = '${id}'`))[0]?.xid ??
  "";
const installation = () =>
  ask<{ generation: string }>(
    "SELECT generation::text AS generation, reason, began_at, journal_from FROM state.installation",
  );
const reset = expect.objectContaining({ code: "bad_request", detail: { reset: true } });

test("a reader that had caught up starts again after a crash, and sees what was written under an id given again", async () => {
  const [before] = await installation();
  const stood = await inProcess(async (kernel) => {
    const client = await kernel.db.pool.connect();
    for (let n = 0; n < 50; n++) await client.query("BEGIN; SELECT pg_current_xact_id(); ROLLBACK");
    client.release();
    return readCursor(kernel, P);
  });
  await crash();
  await inProcess(async (kernel) => {
    const fresh = await readCursor(kernel, P);
    await put(kernel, "after");
    expect(BigInt(await xidOf("after"))).toBeLessThan(BigInt(parseCursor(P, stood).xid));
    await expect(nextOf(kernel, stood)).rejects.toEqual(reset);
    expect((await nextOf(kernel, fresh)).value).toMatchObject([{ frame: { id: "after" } }]);
  });
  const [after] = await installation();
  expect(Number(after?.generation)).toBeGreaterThan(Number(before?.generation));
  expect(after).toEqual({ ...before, generation: after?.generation });
});

test("six pools that notice the crash at once agree on one new generation", async () => {
  const [before] = await installation();
  await crash();
  const seen = await Promise.all(
    Array.from({ length: 6 }, () =>
      inProcess(async (kernel) => parseCursor(P, await readCursor(kernel, P)).generation),
    ),
  );
  expect(new Set(seen).size).toBe(1);
  expect(Number(seen[0])).toBeGreaterThan(Number(before?.generation));
});

test("an orderly restart begins no generation, nor does the first look of a version that records lives", async () => {
  const before = await installation();
  await stopEmbedded(dataDir);
  ({ url } = await startEmbedded({ dataDir, settings }));
  await inProcess((kernel) => readCursor(kernel, P));
  expect(await installation()).toEqual(before);
  await ask("UPDATE state.installation SET life = NULL");
  await inProcess((kernel) => readCursor(kernel, P));
  expect(await installation()).toEqual(before);
  expect(await ask("SELECT life = pg_stat_get_bgwriter_stat_reset_time() AS is_noted FROM state.installation")).toEqual(
    [{ is_noted: true }],
  );
});

test("a connection that may write nothing works all the same; the next that may begins the generation", async () => {
  await crash();
  const [before] = await installation();
  await ask("ALTER ROLE CURRENT_USER SET default_transaction_read_only = on");
  try {
    await inProcess(async (kernel) =>
      expect(parseCursor(P, await readCursor(kernel, P)).generation).toBe(before?.generation),
    );
  } finally {
    await ask("BEGIN READ WRITE; ALTER ROLE CURRENT_USER RESET default_transaction_read_only; COMMIT");
  }
  await inProcess((kernel) => readCursor(kernel, P));
  expect(Number((await installation())[0]?.generation)).toBeGreaterThan(Number(before?.generation));
});

test("without the column of the migration, a process connects and streams", async () => {
  await ask("ALTER TABLE state.installation RENAME COLUMN life TO later");
  try {
    await inProcess(async (kernel) => {
      const fresh = await readCursor(kernel, P);
      await put(kernel, "unrecorded");
      expect((await nextOf(kernel, fresh)).value).toMatchObject([{ frame: { id: "unrecorded" } }]);
    });
  } finally {
    await ask("ALTER TABLE state.installation RENAME COLUMN later TO life");
  }
});
