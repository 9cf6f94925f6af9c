// Leases after an outage, a failover and a restore: no turn of a live worker is taken over, and the others one after another.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { claimInbox } from "../inbox/claim-inbox";
import { requeueUnstarted } from "./requeue-unstarted";
import { takeOver } from "./take-over";

let kernel: TestKernel;
const P = "p1";
const { running, launched } = callersOf(() => kernel, P);
const sql = (text: string, values: unknown[] = []) => kernel.test.pool.query(text, values);
const silentFor = (seconds: number) =>
  sql("UPDATE state.due SET heartbeat_at = now() - $1 * interval '1 s' WHERE heartbeat_at IS NOT NULL", [seconds]);
const installation = (set: string) => sql(`UPDATE state.installation SET ${set}`);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", worker_target: "t1" }]);
});
beforeEach(async () => {
  await sql("DELETE FROM state.due");
  await installation("reason = 'new', began_at = now() - interval '1 day', watched_at = now(), back_at = NULL");
});
afterAll(() => kernel.close());

test.each(["promoted", "restored", "moved"])(
  "no lease ends in the first leaseMs after a database was %s",
  async (reason) => {
    await running("Plain");
    await silentFor(3_600);
    await installation(`reason = '${reason}', began_at = now() - interval '50 s'`);
    expect(await takeOver(kernel)).toBe(0);
    await installation("began_at = now() - interval '61 s'");
    expect(await takeOver(kernel)).toBe(1);
  },
);

test("the same after a time without a watchdog; the grace period ends, and is not given twice in a row", async () => {
  await running("Plain");
  await silentFor(3_600);
  await installation("watched_at = now() - interval '5 minutes'");
  expect(await takeOver(kernel)).toBe(0);
  await installation("back_at = now() - interval '50 s'");
  expect(await takeOver(kernel)).toBe(0);
  // Each slow tick looks like an outage.
  await installation("back_at = now() - interval '61 s', watched_at = now() - interval '5 minutes'");
  expect(await takeOver(kernel)).toBe(1);
  await running("Plain");
  await silentFor(3_600);
  await installation("back_at = now() - interval '10 minutes', watched_at = now() - interval '5 minutes'");
  expect(await takeOver(kernel)).toBe(0);
});

test("a claim whose turn could not start meanwhile stays with its worker for as long", async () => {
  await launched("Plain");
  const [row] = await claimInbox(kernel, { project_id: P, worker_targets: ["t1"], worker_id: "w", limit: 1 });
  expect(row).toBeDefined();
  await sql("UPDATE state.due SET claimed_at = now() - interval '1 hour' WHERE heartbeat_at IS NULL");
  await installation("reason = 'promoted', began_at = now()");
  expect(await requeueUnstarted(kernel)).toBe(0);
  await installation("began_at = now() - interval '61 s'");
  expect(await requeueUnstarted(kernel)).toBe(1);
});

test("leases with a heartbeat at the same moment end one after another, within a quarter of leaseMs", async () => {
  for (let i = 0; i < 24; i++) await running("Plain");
  const taken: number[] = [];
  for (const seconds of [59, 64, 68, 72, 76]) {
    // Turns that were taken over earlier no longer run; the others are all equally silent.
    await silentFor(seconds);
    taken.push(await takeOver(kernel));
  }
  expect(taken[0]).toBe(0);
  expect(taken.slice(1).reduce((sum, n) => sum + n, 0)).toBe(24);
  expect(taken.slice(1).filter((n) => n > 0 && n < 24).length).toBeGreaterThan(1);
});
