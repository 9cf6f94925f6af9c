// Joins that don't wait for all: the first that delivers, some of them, a time of their own. Whatever the policy, a batch ends once
// and wakes its parent in the transaction that ends it (K7).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BranchResult } from "@/server/contract/batch";
import { callersOf } from "@/server/testing/callers";
import { forksOf, joinIn, type Sleeping } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { stopTurn } from "../reclaim/stop-turn";
import { sweepBatches } from "../reclaim/sweep-batches";
import { retryBranch } from "./retry-branch";
import { settleBatch } from "./settle";

let kernel: TestKernel;
const P = "policies";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, end, batch, tasks, batchFrames, resultRows, resumeBy, fork } = forksOf(() => kernel, P);
const key = (boss: Sleeping) => ({ project_id: P, batch_id: boss.fork.batch_id });
const statuses = async (boss: Sleeping) => (await tasks(boss.fork.batch_id)).map((task) => task.status);
const started = (boss: Sleeping) => Promise.all(boss.fork.tasks.map(start));
type Join = { status: string; results: BranchResult[]; counted?: number[]; late?: number[] };
const join = async (boss: Sleeping) => joinIn(await resumeBy(boss, boss.fork.tool_call_id)) as Join;
const ended = async (boss: Sleeping) =>
  (await batchFrames(boss.fork.batch_id)).filter((status) => status !== "running");
const passGate = (boss: Sleeping) =>
  kernel.test.pool.query("UPDATE state.pmo_batches SET gate_at = now() - interval '1 s' WHERE batch_id = $1", [
    boss.fork.batch_id,
  ]);
/** The process dies between the end and what follows it. */
async function unsettled(work: () => Promise<unknown>): Promise<void> {
  kernel.probe = async (point) => {
    if (point === "settle-locked") throw new Error("this process dies before it settles");
  };
  await work().catch(() => undefined);
  kernel.probe = undefined;
}
const nth = <T>(list: readonly T[], i: number): T => {
  const one = list[i];
  if (one === undefined) throw new Error(`there is no number ${i}`);
  return one;
};

describe("any", () => {
  test("the first that delivers ends the wait, and the others are stopped", async () => {
    const boss = await sleeping("Boss", 3, { policy: { kind: "any" } });
    const hands = await started(boss);
    await end(nth(hands, 1), "failed");
    expect(await ended(boss)).toEqual([]);
    expect((await batch(boss.fork.batch_id)).arrivals).toEqual([1]);
    await end(nth(hands, 2));
    expect(await batch(boss.fork.batch_id)).toMatchObject({
      status: "success",
      arrivals: [1, 2],
      closed_by: "satisfied",
    });
    expect(await ended(boss)).toEqual(["success"]);
    expect(await statuses(boss)).toEqual(["canceled", "failed", "success"]);
    expect(await turnOf(kernel, P, nth(hands, 0).agent_turn_id)).toMatchObject({
      status: "canceled",
      error_code: "batch_gate_closed",
    });
    const { status, counted, late, results } = await join(boss);
    expect({ status, counted, late }).toEqual({ status: "success", counted: [2], late: undefined });
    expect(results.map((result) => result.status)).toEqual(["canceled", "failed", "success"]);
    expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
  });
  test("count ended: a failure arrives too", async () => {
    const boss = await sleeping("Boss", 2, { policy: { kind: "any", count: "ended" } });
    const hands = await started(boss);
    await end(nth(hands, 0), "failed");
    expect(await join(boss)).toMatchObject({ status: "success", counted: [0] });
  });
  test("two that end before anybody looks: the one that ended first counts, the other is late", async () => {
    const boss = await sleeping("Boss", 3, { policy: { kind: "any" } });
    const hands = await started(boss);
    await unsettled(() => end(nth(hands, 2)));
    await unsettled(() => end(nth(hands, 0)));
    expect(await sweepBatches(kernel)).toBe(1);
    expect(await batch(boss.fork.batch_id)).toMatchObject({ status: "success", arrivals: [2, 0], late: [0] });
    const { counted, late, results } = await join(boss);
    expect({ counted, late }).toEqual({ counted: [2], late: [0] });
    // What was late changes nothing that the parent reads.
    expect(results.map(({ task_index, status }) => [task_index, status])).toEqual([
      [1, "canceled"],
      [2, "success"],
    ]);
    expect(await statuses(boss)).toEqual(["success", "canceled", "success"]);
  });
});

describe("quorum", () => {
  test("out of reach it fails at once", async () => {
    const boss = await sleeping("Boss", 3, { policy: { kind: "quorum", k: 2 } });
    const hands = await started(boss);
    await end(nth(hands, 0), "failed");
    await end(nth(hands, 2), "partial");
    expect(await ended(boss)).toEqual([]);
    await end(nth(hands, 1), "failed");
    expect(await batch(boss.fork.batch_id)).toMatchObject({ status: "failed", closed_by: "quorum_unreachable" });
    const resumed = await resumeBy(boss, boss.fork.tool_call_id);
    expect(resumed.results[0]?.card.content).toMatchObject({ status: "failed", error: { code: "quorum_unreachable" } });
  });
  test("a branch with attempts left has not arrived", async () => {
    const more = { policy: { kind: "quorum", k: 2 } };
    const task = (attempts: number) => ({ target_strategy: "new", target_ref: "Boss", instruction: "go", attempts });
    const boss = await sleeping("Boss", [task(1), task(2)], more);
    const hands = await started(boss);
    await end(nth(hands, 1), "failed");
    expect(await batch(boss.fork.batch_id)).toMatchObject({ status: "running", arrivals: [] });
    expect(await statuses(boss)).toEqual(["dispatched", "pending"]);
  });
  test("a branch that a person retries leaves, and arrives again behind the others", async () => {
    const boss = await sleeping("Boss", 4, { policy: { kind: "quorum", k: 2, count: "delivered" } });
    const hands = await started(boss);
    await end(nth(hands, 1), "failed");
    await end(nth(hands, 3));
    expect((await batch(boss.fork.batch_id)).arrivals).toEqual([1, 3]);
    await retryBranch(kernel, { ...key(boss), task_index: 1, by: "ann" });
    expect((await batch(boss.fork.batch_id)).arrivals).toEqual([3]);
    const again = nth(await tasks(boss.fork.batch_id), 1);
    await end(await start({ agent_id: again.agent_id, agent_turn_id: again.agent_turn_id ?? undefined }));
    expect(await join(boss)).toMatchObject({ status: "success", counted: [3, 1] });
  });
});

describe("a time of its own", () => {
  test.each([
    ["emit_partial", "partial", "partial_timeout", undefined],
    ["fail", "failed", "join_timeout", "join_timeout"],
  ])("%s, with one arrival: %s", async (on_timeout, status, closed_by, code) => {
    const policy = { kind: "quorum", k: 2, timeout_ms: 60_000, on_timeout };
    const boss = await sleeping("Boss", 3, { policy });
    const hands = await started(boss);
    await end(nth(hands, 1));
    await passGate(boss);
    expect(await sweepBatches(kernel)).toBe(1);
    expect(await batch(boss.fork.batch_id)).toMatchObject({ status, closed_by, arrivals: [1] });
    expect(await statuses(boss)).toEqual(["timeout", "success", "timeout"]);
    const content = (await resumeBy(boss, boss.fork.tool_call_id)).results[0]?.card.content;
    expect(content).toMatchObject({ status, ...(code && { error: { code } }) });
  });
  test("without an arrival it is a timeout; all may have one too", async () => {
    const boss = await sleeping("Boss", 2, { policy: { kind: "all", timeout_ms: 60_000 } });
    await passGate(boss);
    expect(await settleBatch(kernel, key(boss))).toBe("timeout");
    const more = await sleeping("Boss", 2, { policy: { kind: "all", timeout_ms: 60_000 } });
    const hands = await started(more);
    await end(nth(hands, 0), "failed");
    await passGate(more);
    expect(await settleBatch(kernel, key(more))).toBe("partial");
  });
  test("wait lasts until the deadline of the batch", async () => {
    const boss = await sleeping("Boss", 2, {
      policy: { kind: "any", timeout_ms: 1, on_timeout: "wait" },
      deadline_seconds: 600,
    });
    expect(await batch(boss.fork.batch_id)).toMatchObject({ gate_at: null });
    expect(await sweepBatches(kernel)).toBe(0);
    await kernel.test.pool.query("UPDATE state.pmo_batches SET deadline_at = now() WHERE batch_id = $1", [
      boss.fork.batch_id,
    ]);
    expect(await settleBatch(kernel, key(boss))).toBe("timeout");
    expect(await batch(boss.fork.batch_id)).toMatchObject({ closed_by: null });
  });
});

describe("late: run", () => {
  test("late branches keep their own ends, change nothing, and are stopped with the run", async () => {
    const boss = await sleeping("Boss", 4, { policy: { kind: "any", late: "run" }, max_parallel: 3 });
    const hands = await Promise.all(boss.fork.tasks.slice(0, 3).map(start));
    await end(nth(hands, 1));
    expect(await batch(boss.fork.batch_id)).toMatchObject({ status: "success", late: [0, 2] });
    // One that never began does not begin any more.
    expect(await statuses(boss)).toEqual(["dispatched", "success", "dispatched", "canceled"]);
    const told = await join(boss);
    expect(told).toMatchObject({ counted: [1], late: [0, 2] });
    expect(told.results.map(({ task_index }) => task_index)).toEqual([1, 3]);
    const before = await batch(boss.fork.batch_id);
    await end(nth(hands, 0), "partial");
    expect(await batch(boss.fork.batch_id)).toEqual(before);
    expect(await statuses(boss)).toEqual(["partial", "success", "dispatched", "canceled"]);
    expect((await tasks(boss.fork.batch_id))[0]?.result_view).toMatchObject({ status: "partial", summary: "done" });
    await stopTurn(kernel, { project_id: P, agent_turn_id: boss.agent_turn_id, scope: "subtree", by: "ann" });
    expect(await statuses(boss)).toEqual(["partial", "success", "canceled", "canceled"]);
    expect(await ended(boss)).toEqual(["success"]);
  });
  test("the deadline of the batch stops them all the same", async () => {
    const boss = await sleeping("Boss", 2, { policy: { kind: "quorum", k: 2, late: "run" } });
    await kernel.test.pool.query("UPDATE state.pmo_batches SET deadline_at = now() WHERE batch_id = $1", [
      boss.fork.batch_id,
    ]);
    expect(await settleBatch(kernel, key(boss))).toBe("timeout");
    expect(await statuses(boss)).toEqual(["timeout", "timeout"]);
  });
});

test("K7 the branches of a quorum end at once, in three processes: one end, one result, k that count", async () => {
  for (let round = 0; round < 6; round++) {
    const late = round % 2 === 0 ? "run" : "stop";
    const boss = await sleeping("Boss", 5, { policy: { kind: "quorum", k: 3, late } });
    const hands = await started(boss);
    await Promise.all(hands.map((hand) => end(hand)));
    await settleBatch(kernel, key(boss));
    expect(await ended(boss)).toEqual(["success"]);
    expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
    const { counted = [] } = await join(boss);
    expect(new Set(counted).size).toBe(3);
    const { arrivals } = await batch(boss.fork.batch_id);
    expect(arrivals.slice(0, 3)).toEqual(counted);
  }
});

test("as many statements for thirty branches as for three", async () => {
  const counts: number[] = [];
  for (const n of [3, 30]) {
    const boss = await sleeping("Boss", n, { policy: { kind: "any" } });
    await unsettled(async () => end(await start(boss.fork.tasks[0])));
    counts.push(await countStatements(kernel, (counting) => settleBatch(counting, key(boss))));
    expect(await ended(boss)).toEqual(["success"]);
  }
  expect(counts[1]).toBe(counts[0]);
});

test.each([
  [{ policy: { kind: "quorum", k: 3 } }, "policy.k", "give 1 to 2"],
  [{ policy: { kind: "quorum" } }, "policy.k", "a quorum needs k"],
  [{ policy: { kind: "any" }, fail_fast: true }, "fail_fast", "leave it out with any"],
  [{ policy: { kind: "any", timeout_ms: 2_000 }, deadline_seconds: 1 }, "policy.timeout_ms", "give 1 to 1000"],
  [{ policy: { kind: "any", timeout_ms: 900_001 } }, "policy.timeout_ms", "give 1 to 900000"],
  [{ policy: "any" }, "policy", ""],
])("%j is refused, and nothing is written", async (more, path, says) => {
  const caller = await running("Boss");
  const before = await countRows(kernel);
  const task = { target_strategy: "new", target_ref: "Boss", instruction: "go" };
  const refused = await fork(caller, { tasks: [task, task], ...more }).catch((error) => error);
  expect(refused).toMatchObject({ code: "bad_request", detail: { path } });
  expect(refused.message).toContain(says);
  expect(await countRows(kernel)).toEqual(before);
});

test("kind all alone is what holds anyway: no policy is kept", async () => {
  const boss = await sleeping("Boss", 2, { policy: { kind: "all" }, fail_fast: true });
  expect(await batch(boss.fork.batch_id)).toMatchObject({ policy: null, arrivals: [] });
});
