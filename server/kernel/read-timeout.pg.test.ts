// A read that takes too long: it is answered with a message, the database stops working on it, and nobody else waits for it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { read } from "./reader";
import { tunables } from "./tunables";

let kernel: TestKernel;
const { get } = restOf(() => ({ ...kernel, tunables: { ...tunables, readMsMax: 300 } }));
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "slow");
});
afterAll(() => kernel.close());

const RUNNING =
  "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query ~ 'pg_sleep[(]77'";

test("an endless statement is canceled on the server", async () => {
  const short = { db: kernel.db, tunables: { ...tunables, readMsMax: 200 } };
  await expect(read(short, "test_sleep", "SELECT pg_sleep(77)", [])).rejects.toMatchObject({
    code: "read_timeout",
    status: 504,
    message: expect.stringMatching(/within 0.2 s; ask for less/),
  });
  await expect.poll(async () => (await kernel.db.pool.query<{ n: number }>(RUNNING)).rows[0]?.n).toBe(0);
});

test("a search that waits for a lock is refused with that reason, and works again when the lock is gone", async () => {
  const holder = await kernel.db.pool.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE cards IN ACCESS EXCLUSIVE MODE");
  const { status, json } = await get("/projects/slow/cards?q=word");
  expect([status, json.detail.error_code]).toEqual([504, "read_timeout"]);
  expect(json.detail.error_message).toContain("a narrower search");
  await holder.query("ROLLBACK");
  holder.release();
  expect((await get("/projects/slow/cards?q=word")).status).toBe(200);
});

test("a canceled statement leaves no connection behind that is canceled again", async () => {
  const short = { db: kernel.db, tunables: { ...tunables, readMsMax: 50 } };
  const slow = Array.from({ length: 12 }, () =>
    read(short, "test_sleep", "SELECT pg_sleep(77)", []).catch(() => "late"),
  );
  expect(await Promise.all(slow)).toEqual(Array(12).fill("late"));
  const after = Array.from({ length: 30 }, () => read(kernel, "test_one", "SELECT 1 AS n", []));
  for (const rows of await Promise.all(after)) expect(rows).toEqual([{ n: 1 }]);
});

test("more slow reads at once than there are connections return all connections", async () => {
  const short = { db: kernel.db, tunables: { ...tunables, readMsMax: 50 } };
  const slow = Array.from({ length: 20 }, () =>
    read(short, "test_sleep", "SELECT pg_sleep(77)", []).catch(() => "late"),
  );
  await Promise.all(slow);
  await expect
    .poll(async () => (await read(kernel, "test_one", "SELECT 1 AS n", []))[0], { timeout: 10_000 })
    .toEqual({ n: 1 });
  await expect.poll(() => kernel.db.pool.totalCount - kernel.db.pool.idleCount, { timeout: 10_000 }).toBe(0);
});
