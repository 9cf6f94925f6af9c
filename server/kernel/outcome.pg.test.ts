// A commit whose answer is lost: what is reported is what happened, and nothing is claimed if nobody knows.
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { startEmbedded } from "@/server/embedded/start";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { type Wired, wireKernel } from "@/server/wire";
import type { Ring } from "./kernel";
import { askOutcome, MARK, type Mark } from "./outcome";
import { tunables } from "./tunables";
import { withUnit } from "./unit";

const P = "outcomes";
const quick = { ...tunables, statementMs: 500, quickStatementMs: 300, outcomeMs: 1_000 };
let direct: TestKernel;
let relay: Relay;
let kernel: Wired;
const rung: Ring[] = [];

beforeAll(async () => {
  direct = await openTestKernel();
  await seedProject(direct, P);
  relay = await startRelay({ port: Number(new URL(direct.test.url).port) });
  const doorbell = createMemoryDoorbell();
  await doorbell.listen((ring) => rung.push(ring));
  kernel = wireKernel({ url: relay.through(direct.test.url), name: "switchyard-relayed", tunables: quick, doorbell });
});
afterEach(() => relay.thaw());
afterAll(async () => {
  await kernel.close();
  await relay.close();
  await direct.close();
});

const RENAME = "UPDATE projects SET title = $2 WHERE project_id = $1 RETURNING title";
const rename = (title: string) =>
  withUnit(kernel, async (unit) => {
    await unit.query("test_rename", RENAME, [P, title]);
    unit.ring({ kind: "journal", project_id: P });
    unit.after(async () => void after.push(title));
    return title;
  });
const after: string[] = [];
const titleNow = async () =>
  (await direct.db.pool.query("SELECT title FROM projects WHERE project_id = $1", [P])).rows[0].title;

test("it was committed: the unit returns its result, with its rings and follow-ups", async () => {
  rung.length = 0;
  for (let i = 0; i < 5; i++) {
    relay.loseCommits(1, "answer");
    const lost = relay.lost();
    expect(await rename(`kept ${i}`)).toBe(`kept ${i}`);
    expect([relay.lost(), await titleNow()]).toEqual([lost + 1, `kept ${i}`]);
  }
  expect(after).toEqual([0, 1, 2, 3, 4].map((i) => `kept ${i}`));
  expect(rung.filter((ring) => ring.kind === "journal")).toHaveLength(5);
});

test("a unit whose writes nobody waited for is known too", async () => {
  relay.loseCommits(1, "answer");
  await withUnit(kernel, async (unit) => unit.send("test_rename", RENAME, [P, "sent"]));
  expect(await titleNow()).toBe("sent");
});

test("its last statement took the commit along, and both answers were lost: it is written, and nothing is returned for it", async () => {
  const work = withUnit(kernel, async (unit) => {
    await unit.query("test_one", "SELECT 1");
    relay.delay(150);
    const asked = unit.last().query("test_rename", RENAME, [P, "answered by nobody"]);
    await expect.poll(titleNow, { interval: 10 }).toBe("answered by nobody");
    relay.cut();
    return (await asked).length;
  }).finally(() => relay.delay(0));
  await expect(work).rejects.toMatchObject({ code: "outcome_unknown", status: 503 });
  expect(await titleNow()).toBe("answered by nobody");
});

test("a sealed unit whose answers were lost is written, and whoever asks what became of it is told that nobody knows", async () => {
  const told: string[] = [];
  const work = withUnit(kernel, async (unit) => {
    unit.onOutcome((outcome) => told.push(outcome));
    await unit.query("test_one", "SELECT 1");
    relay.delay(150);
    const asked = unit.query("test_rename", RENAME, [P, "sealed"]);
    unit.seal(P);
    await expect.poll(titleNow, { interval: 10 }).toBe("sealed");
    relay.cut();
    return (await asked).length;
  }).finally(() => relay.delay(0));
  await expect(work).rejects.toMatchObject({ code: "outcome_unknown", status: 503 });
  expect([await titleNow(), told]).toEqual(["sealed", ["unknown"]]);
});

test("it was not committed: storage_error says that nothing was written, and nothing was", async () => {
  const before = await titleNow();
  relay.loseCommits(1, "request");
  await expect(rename("lost")).rejects.toMatchObject({
    code: "storage_error",
    message: expect.stringContaining("nothing was written"),
  });
  expect(await titleNow()).toBe(before);
});

test("no answer: outcome_unknown says that it may have been written, and what to do", async () => {
  const silent: Wired = {
    ...kernel,
    db: { ...kernel.db, connectAnew: () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" })) },
  };
  relay.loseCommits(1, "answer");
  const work = withUnit(silent, async (unit) => void (await unit.query("test_rename", RENAME, [P, "who knows"])));
  await expect(work).rejects.toMatchObject({
    code: "outcome_unknown",
    status: 503,
    message: expect.stringMatching(/may have been saved; try again with the same action_id or Idempotency-Key/),
  });
  expect(await titleNow()).toBe("who knows");
});

// The id of a transaction that had reached no disk is given again.
test("after a crash, an id that says committed may be another transaction's: nobody knows", async () => {
  const dataDir = makeScratch();
  const { url } = await startEmbedded({ dataDir });
  const open = async () => {
    const client = new pg.Client(url);
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const markOf = async (client: pg.Client): Promise<Mark> => {
    await client.query("BEGIN");
    const { rows } = await client.query<Mark>(MARK);
    if (!rows[0]) throw new Error("a transaction without an id");
    return rows[0];
  };
  const [first, victim] = [await open(), await open()];
  const lost = await markOf(first);
  const { rows } = await victim.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  process.kill(rows[0]?.pid ?? 0, "SIGKILL");
  const asking = { ...direct, db: { ...direct.db, connectAnew: open } };
  const next = await vi.waitFor(open, { timeout: 20_000, interval: 100 });
  let again = await markOf(next);
  for (; BigInt(again.xid) < BigInt(lost.xid); again = await markOf(next)) await next.query("ROLLBACK");
  expect(again.xid).toBe(lost.xid);
  await next.query("CREATE TABLE again (n int); COMMIT");
  expect((await next.query("SELECT pg_xact_status($1::xid8) AS status", [lost.xid])).rows).toEqual([
    { status: "committed" },
  ]);
  expect(await askOutcome(asking, lost)).toBe("unknown");
  const kept = await markOf(next);
  await next.query("CREATE TABLE kept (n int); COMMIT");
  expect(await askOutcome(asking, kept)).toBe("committed");
  const given_up = await markOf(next);
  await next.query("ROLLBACK");
  expect(await askOutcome(asking, { ...given_up, life: lost.life })).toBe("aborted");
  await next.end();
  await removeScratch(dataDir);
}, 60_000);

test("still in progress: it is looked up again; a future id was never used; another timeline says nothing", async () => {
  const client = await direct.db.pool.connect();
  await client.query("BEGIN");
  const { rows } = await client.query<Mark>(MARK);
  const [mark] = rows;
  if (!mark) throw new Error("a transaction without an id");
  const asked = askOutcome(direct, mark);
  await client.query("SELECT pg_sleep(0.2)");
  await client.query("COMMIT");
  expect(await asked).toBe("committed");
  expect(await askOutcome(kernel, { ...mark, timeline: "0000000F" })).toBe("unknown");
  expect(await askOutcome(kernel, { ...mark, xid: String(Number(mark.xid) + 1_000_000) })).toBe("aborted");
  await client.query("BEGIN");
  const open = await client.query("SELECT pg_current_xact_id()::text AS xid");
  expect(await askOutcome(kernel, { ...mark, xid: open.rows[0].xid })).toBe("unknown");
  await client.query("ROLLBACK");
  expect(await askOutcome(kernel, { ...mark, xid: open.rows[0].xid })).toBe("aborted");
  client.release();
});

test("frozen connections are given up, with the others of the same host, and work continues", async () => {
  await Promise.all(Array.from({ length: 8 }, (_, i) => rename(`warm ${i}`)));
  expect(kernel.db.pool.totalCount).toBeGreaterThan(1);
  relay.freeze("open");
  await expect(rename("frozen")).rejects.toMatchObject({ code: "storage_error" });
  // Not one after the other: the next caller gets a connection that works.
  await expect.poll(() => kernel.db.pool.totalCount).toBe(0);
  // The server still considers the dead ones alive: their locks are released when it notices.
  expect(await withUnit(kernel, async (unit) => (await unit.query("test_one", "SELECT 1")).length)).toBe(1);
});

test("a read-only server counts as down, its connection is not used again, and the next one is", async () => {
  relay.cut();
  const name = new URL(direct.test.url).pathname.slice(1);
  await direct.db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await expect(rename("refused")).rejects.toMatchObject({ code: "storage_error", detail: { reason: "read_only" } });
  await direct.db.pool.query(
    `SET default_transaction_read_only = off; ALTER DATABASE ${name} RESET default_transaction_read_only`,
  );
  // No old session is left that would refuse forever.
  for (let i = 0; i < 3; i++) expect(await rename(`back ${i}`)).toBe(`back ${i}`);
});

test("a lock that is not granted in time, and a statement that takes too long, are temporary refusals", async () => {
  const holder = await direct.db.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE", [P]);
  const waiting = withUnit(kernel, async (unit) => {
    await unit.query("test_lock_timeout", "SET LOCAL lock_timeout = 50");
    await unit.query("test_rename", RENAME, [P, "never"]);
  });
  await expect(waiting).rejects.toMatchObject({ code: "storage_error", detail: { reason: "locked" } });
  await holder.query("ROLLBACK");
  holder.release();
  const slow = withUnit(kernel, (unit) => unit.query("test_slow", "SELECT pg_sleep(5)"));
  await expect(slow).rejects.toMatchObject({ code: "storage_error", detail: { reason: "too_slow" } });
});

test("work that is declared long gets the time from both sides", async () => {
  const long = withUnit(kernel, (unit) => unit.query("test_long", "SELECT pg_sleep(0.8)"), { statementMs: 60_000 });
  expect(await long).toHaveLength(1);
});
