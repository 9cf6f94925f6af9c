// A project's queue is limited: a request for more is refused with a message, before anything is written.

import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { fork as forkTasks } from "../batch/fork";
import { readQueue } from "../read-models/read-queue";
import { tunables } from "../tunables";
import { startTurn } from "../turns/start-turn";

let kernel: TestKernel;
const P = "full";
const { launched, run, call, refused } = callersOf(() => kernel, P);
const { post, ok } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, queuedMax: 3 } });
  await seedProject(kernel, P, [{ name: "Plain" }]);
  await seedProject(kernel, "beside", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

test("queue_full says the number and when to retry; a fork counts as a whole; turns that start make room", async () => {
  const first = await launched("Plain");
  const caller = await run(first.agent_id, first.agent_turn_id, 1);
  const fork = (n: number, max_parallel?: number) =>
    forkTasks(kernel, {
      project_id: P,
      caller: { ...caller, tool_call_id: `tc_${n}_${max_parallel}` },
      tool: "fork_join",
      args: { tasks: Array.from({ length: n }, () => toNew("Plain")), max_parallel },
    });
  for (const max_parallel of [undefined, 1]) {
    const refusal = await refused(() => fork(4, max_parallel));
    expect([refusal.code, refusal.status, refusal.detail]).toEqual(["queue_full", 429, { max_queued: 3, asked: 4 }]);
    expect(refusal.message).toContain("3 waiting turns");
  }
  const waiting = [await launched("Plain"), await launched("Plain"), await launched("Plain")];
  expect((await refused(() => call(caller, toNew("Plain")))).code).toBe("queue_full");
  const args = { target_strategy: "new", target_ref: "Plain", instruction: "x" };
  const over = await post(`/projects/${P}/pmo/delegate_async:call`, { args });
  expect([over.status, over.json.detail.error_code]).toEqual([429, "queue_full"]);
  await ok("POST", "/projects/beside/pmo/delegate_async:call", { args });
  const [next] = waiting;
  if (!next) throw new Error("three turns wait");
  await startTurn(kernel, {
    project_id: P,
    agent_turn_id: next.agent_turn_id,
    turn_epoch: 1,
    worker_id: "w",
  });
  await launched("Plain");
});

test("branches that are held back count too", async () => {
  await seedProject(kernel, "held", [{ name: "Plain" }]);
  const held = callersOf(() => kernel, "held");
  const caller = await held.running("Plain");
  const fork = (tool_call_id: string, tasks: number) =>
    forkTasks(kernel, {
      project_id: "held",
      caller: { ...caller, tool_call_id },
      tool: "fork_join",
      args: { tasks: Array.from({ length: tasks }, () => toNew("Plain")), max_parallel: 1 },
    });
  const other = await held.running("Plain");
  await fork("tc_held", 2);
  await held.launched("Plain");
  expect((await held.refused(() => held.call(other, toNew("Plain")))).detail).toEqual({ max_queued: 3, asked: 1 });
});

test("several runs at once do not exceed the limit together", async () => {
  await seedProject(kernel, "race", [{ name: "Plain" }]);
  const race = callersOf(() => kernel, "race");
  const bosses: Running[] = [];
  for (let i = 0; i < 6; i++) bosses.push(await race.running("Plain"));
  const fork = (caller: Running, i: number) =>
    forkTasks(kernel, {
      project_id: "race",
      caller: { ...caller, tool_call_id: `tc_${i}` },
      tool: "fork_join",
      args: { tasks: [toNew("Plain"), toNew("Plain")] },
    });
  const answers = await Promise.allSettled(bosses.map(fork));
  expect(answers.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const one of answers) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "queue_full" });
});

test.each([
  [3, 2],
  [40, 30],
  [80, 50],
])("of at most %i, two forks of %i: the second counts when the first has committed", async (queuedMax, tasks) => {
  const project_id = `late_${queuedMax}`;
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  const own = callersOf(() => kernel, project_id);
  const [first, second] = [await own.running("Plain"), await own.running("Plain")];
  const fork = (caller: Running, probe?: (point: string) => Promise<void>) =>
    forkTasks(
      { ...kernel, tunables: { ...tunables, queuedMax }, probe },
      {
        project_id,
        caller: { ...caller, tool_call_id: `tc_${caller.agent_turn_id}` },
        tool: "fork_join",
        args: { tasks: Array.from({ length: tasks }, () => toNew("Plain")) },
      },
    );
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hasCounted = false;
  const winner = fork(first, async (point) => {
    if (point !== "fork-before-batch") return;
    hasCounted = true;
    await released;
  });
  await expect.poll(() => hasCounted, { timeout: 60_000 }).toBe(true);
  let isAnswered = false;
  const loser = Promise.allSettled([fork(second)]).finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || (await isHeldUp(project_id)), { timeout: 60_000 }).toBe(true);
  release();
  await winner;
  expect((await loser)[0]).toMatchObject({ status: "rejected", reason: { code: "queue_full" } });
});

test("ten forks of ten at once, of at most twenty: two fit, however small they are beside the limit", async () => {
  await seedProject(kernel, "ten", [{ name: "Plain" }]);
  const ten = callersOf(() => kernel, "ten");
  const bosses: Running[] = [];
  for (let i = 0; i < 10; i++) bosses.push(await ten.running("Plain"));
  const of20 = { ...kernel, tunables: { ...tunables, queuedMax: 20 } };
  const tasks = Array.from({ length: 10 }, () => toNew("Plain"));
  const fork = (caller: Running, i: number) =>
    forkTasks(of20, {
      project_id: "ten",
      caller: { ...caller, tool_call_id: `tc_ten_${i}` },
      tool: "fork_join",
      args: { tasks },
    });
  const answers = await Promise.allSettled(bosses.map(fork));
  expect(answers.filter((one) => one.status === "fulfilled")).toHaveLength(2);
});

test("while the queue has plenty of places, forks of different runs do not wait for each other", async () => {
  await seedProject(kernel, "plenty", [{ name: "Plain" }]);
  const own = callersOf(() => kernel, "plenty");
  const [first, second] = [await own.running("Plain"), await own.running("Plain")];
  const fork = (caller: Running, probe?: (point: string) => Promise<void>) =>
    forkTasks(
      { ...kernel, tunables, probe },
      {
        project_id: "plenty",
        caller: { ...caller, tool_call_id: `tc_${caller.agent_turn_id}` },
        tool: "fork_join",
        args: { tasks: [toNew("Plain")] },
      },
    );
  const points: string[] = [];
  await fork(first, async (point) => {
    if (point !== "fork-before-batch") return;
    await fork(second);
    points.push("the second is written while the first has counted");
  });
  expect(points).toHaveLength(1);
});

async function isHeldUp(project_id: string): Promise<boolean> {
  const { rows } = await kernel.test.pool.query(
    `SELECT FROM pg_locks, hashtextextended('queue ' || $1::text, 0) AS key WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = key`,
    [project_id],
  );
  return rows.length > 0;
}

test("the page uses the same count that refuses a launch, up to the maximum", async () => {
  const before = await readQueue(kernel, P);
  expect(before.max_queued).toBe(3);
  expect(await readQueue(kernel, "nobody-has-it")).toEqual({ waiting: 0, max_queued: 3 });
  await kernel.test.pool.query("UPDATE state.due SET claimed_by = NULL, claimed_at = NULL, heartbeat_at = NULL");
  const { rows } = await kernel.test.pool.query(
    "SELECT least(count(*), 3)::int AS n FROM state.due WHERE project_id = 'full'",
  );
  expect((await readQueue(kernel, P)).waiting).toBe(rows[0]?.n);
  expect(rows[0]?.n).toBe(3);
});
