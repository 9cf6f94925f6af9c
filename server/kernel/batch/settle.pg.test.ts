// A batch ends exactly once, and wakes its parent in the transaction that ends it (K7); the test ends branches by hand and
// forces the races.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { forksOf, hasReadForJoin, joinIn, type Sleeping } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { outputOf, turnOf } from "@/server/testing/turns";
import { postResults } from "../inbox/post-results";
import { launch } from "../launch/launch";
import { expireTools } from "../reclaim/expire-tools";
import { sweepBatches } from "../reclaim/sweep-batches";
import { watchOnce } from "../reclaim/watch-turns";
import { deliverTurn } from "../turns/deliver-turn";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { cancelBatch } from "./cancel-batch";
import { settleBatch } from "./settle";

let kernel: TestKernel;
const P = "settle";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, end, batch, tasks, batchFrames, taskFrames, resultRows, resumeBy, rows, fork } = forksOf(
  () => kernel,
  P,
);
const key = (boss: Sleeping) => ({ project_id: P, batch_id: boss.fork.batch_id });
const statuses = async (boss: Sleeping) => (await tasks(boss.fork.batch_id)).map((task) => task.status);
const join = async (boss: Sleeping) => joinIn(await resumeBy(boss, boss.fork.tool_call_id));
const makeOverdue = (boss: Sleeping, interval = "1 second") =>
  kernel.test.pool.query(
    `WITH w AS (UPDATE state.turn_waiting_tools SET deadline_at = now() - $2::interval WHERE tool_call_id = $3)
     UPDATE state.pmo_batches SET deadline_at = now() - $2::interval WHERE batch_id = $1`,
    [boss.fork.batch_id, interval, boss.fork.tool_call_id],
  );
/** It ended once, and its parent was woken once. */
async function expectOneEnd(boss: Sleeping, status: string) {
  expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", status]);
  expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
  for (const task of boss.fork.tasks) expect(await taskFrames(task.agent_turn_id ?? "")).toBe(1);
}

test("a branch's result is in its row as soon as its turn has ended, and is what the parent reads", async () => {
  const boss = await sleeping("Boss", 3);
  const [first, second, third] = await Promise.all(boss.fork.tasks.map(start));
  if (!first || !second || !third) throw new Error("three branches were to be started");
  await end(first);
  await end(second, "failed");
  const early = (await tasks(boss.fork.batch_id)).map((task) => task.result_view);
  expect(early).toMatchObject([
    { task_index: 0, status: "success", agent_turn_id: first.agent_turn_id, output_box_id: first.turn.output_box_id },
    { task_index: 1, status: "failed" },
    null,
  ]);
  expect((await batch(boss.fork.batch_id)).status).toBe("running");
  await end(third);
  const { results } = await join(boss);
  expect(results.slice(0, 2)).toEqual(
    early.slice(0, 2).map((view) => {
      const { agent_id: _agent, agent_turn_id: _turn, ...told } = view ?? {};
      return told;
    }),
  );
});

describe("77 K7 once", () => {
  test("the last two branches end together: one end, one result, one resume", async () => {
    for (let round = 0; round < 8; round++) {
      const boss = await sleeping("Boss", 2);
      const branches = await Promise.all(boss.fork.tasks.map(start));
      await Promise.all(branches.map((branch) => end(branch)));
      await expectOneEnd(boss, "success");
      const answers = await Promise.all(["w1", "w2", "w3"].map((w) => resumeBy(boss, boss.fork.tool_call_id, w)));
      expect(answers.map((answer) => answer.status).sort()).toEqual(["ignored", "ignored", "running"]);
      expect(await turnOf(kernel, P, boss.agent_turn_id)).toMatchObject({ status: "running", turn_epoch: 2 });
    }
  });
  test("the later of two sees what the earlier one has written, however long each takes to commit", async () => {
    const boss = await sleeping("Boss", 2);
    const branches = await Promise.all(boss.fork.tasks.map(start));
    // Both have committed before either of them asks whether the batch is over.
    let committed = 0;
    let release = (): void => undefined;
    const both = new Promise<void>((done) => {
      release = done;
    });
    kernel.probe = async (point) => {
      if (point !== "after-commit") return;
      if (++committed === 2) release();
      await both;
    };
    await Promise.all(branches.map((branch) => end(branch)));
    await expectOneEnd(boss, "success");
  });
  test("a ring, a sweep and a deadline at once", async () => {
    const boss = await sleeping("Boss", 3);
    await end(await start(boss.fork.tasks[0]));
    await makeOverdue(boss);
    await Promise.all([
      settleBatch(kernel, key(boss)),
      sweepBatches(kernel),
      settleBatch(kernel, key(boss)),
      sweepBatches(kernel),
    ]);
    await expectOneEnd(boss, "timeout");
    expect(await settleBatch(kernel, key(boss))).toBeNull();
  });
  test("interrupted before its commit, nothing of the end is written, and the next sweep ends the batch completely", async () => {
    for (const point of ["settle-locked", "batch-before-end", "before-commit"]) {
      const boss = await sleeping("Boss", 1);
      const branch = await start(boss.fork.tasks[0]);
      kernel.probe = (at, statements) => {
        if (at === point && hasReadForJoin(statements)) throw new Error(`cut at ${point}`);
      };
      await end(branch);
      kernel.probe = undefined;
      expect((await batch(boss.fork.batch_id)).status).toBe("running");
      expect(await resultRows(boss.fork.tool_call_id)).toEqual([]);
      expect(await sweepBatches(kernel)).toBe(1);
      await expectOneEnd(boss, "success");
    }
  });
  test("a worker that died right after its branch's end: a sweep makes up for it", async () => {
    const boss = await sleeping("Boss", 1);
    const branch = await start(boss.fork.tasks[0]);
    kernel.probe = (at, statements) => {
      if (at === "settle-locked") throw new Error("cut: not in the transaction of its branch");
      if (at === "after-commit" && statements.includes("turns_end")) throw new Error("killed");
    };
    await expect(end(branch)).rejects.toThrow("killed");
    kernel.probe = undefined;
    expect((await batch(boss.fork.batch_id)).status).toBe("running");
    const swept = await Promise.all([sweepBatches(kernel), sweepBatches(kernel)]);
    expect(swept.reduce((a, b) => a + b)).toBe(1);
    await expectOneEnd(boss, "success");
  });
});

describe("75 fail-fast", () => {
  test("two running and one held back: all are stopped, the parent is woken once with batch_failed", async () => {
    const boss = await sleeping("Boss", 4, { fail_fast: true, max_parallel: 3 });
    const [bad, ...others] = await Promise.all(boss.fork.tasks.slice(0, 3).map(start));
    if (!bad) throw new Error("a branch was to run");
    await end(bad, "failed", null, "boom");
    expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "failed"]);
    expect(await statuses(boss)).toEqual(["failed", "canceled", "canceled", "canceled"]);
    for (const other of others) {
      expect(await turnOf(kernel, P, other.agent_turn_id)).toMatchObject({
        status: "canceled",
        error_code: "batch_fail_fast",
      });
      expect(isFenced(await end(other))).toBe(true);
    }
    const resumed = await resumeBy(boss, boss.fork.tool_call_id);
    expect(resumed.results[0]?.card.content).toMatchObject({
      status: "failed",
      error: { code: "batch_failed", detail: { batch_id: boss.fork.batch_id, status: "failed" } },
    });
  });
  test("at the same time as a branch's own end: the second one finds it ended", async () => {
    for (let round = 0; round < 8; round++) {
      const boss = await sleeping("Boss", 3, { fail_fast: true });
      const [bad, good] = await Promise.all(boss.fork.tasks.slice(0, 2).map(start));
      if (!bad || !good) throw new Error("two branches were to run");
      const [, ended] = await Promise.all([end(bad, "failed", null, "boom"), end(good)]);
      expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "failed"]);
      expect(await statuses(boss)).toEqual(["failed", isFenced(ended) ? "canceled" : "success", "canceled"]);
      for (const task of boss.fork.tasks) expect(await taskFrames(task.agent_turn_id ?? "")).toBe(1);
    }
  });
  test("the branch ends while the batch is being ended: its own result counts", async () => {
    const boss = await sleeping("Boss", 2, { fail_fast: true });
    const [bad, good] = await Promise.all(boss.fork.tasks.map(start));
    if (!bad || !good) throw new Error("two branches were to run");
    let isFirst = true;
    kernel.probe = async (at) => {
      if (at !== "settle-locked" || !isFirst) return;
      isFirst = false;
      // Its own settling would wait for the batch that is locked here.
      const alone = { ...kernel, probe: undefined, onTurnsEnded: undefined };
      await deliverTurn(alone, { ...good, status: "success", content: { kind: "text", text: "just in time" } });
    };
    await end(bad, "failed", null, "boom");
    expect(await statuses(boss)).toEqual(["failed", "success"]);
    expect((await join(boss)).results.map((result) => result.status)).toEqual(["failed", "success"]);
    await expectOneEnd(boss, "failed");
  });
});

describe("a deadline", () => {
  test("makes it a timeout, stops what runs, and keeps what succeeded", async () => {
    const boss = await sleeping("Boss", 3, { max_parallel: 2 });
    await end(await start(boss.fork.tasks[0]), "success", "in time");
    await makeOverdue(boss);
    expect(await sweepBatches(kernel)).toBe(1);
    expect(await statuses(boss)).toEqual(["success", "timeout", "timeout"]);
    expect(await join(boss)).toMatchObject({
      status: "timeout",
      results: [{ status: "success", summary: "in time" }, { status: "timeout" }, { status: "timeout" }],
    });
  });
  test.each([
    { all: "success", fail_fast: false },
    { all: "failed", fail_fast: true },
  ] as const)("while its last branch ends with $all: no branch was stopped, so it is no timeout", async (to) => {
    const boss = await sleeping("Boss", 2, { fail_fast: to.fail_fast });
    const [first, last] = await Promise.all(boss.fork.tasks.map(start));
    if (!first || !last) throw new Error("two branches were to run");
    await end(first);
    await makeOverdue(boss);
    let isFirst = true;
    kernel.probe = async (at) => {
      if (at !== "settle-locked" || !isFirst) return;
      isFirst = false;
      // Its own settling would wait for the batch that is locked here.
      const alone = { ...kernel, probe: undefined, onTurnsEnded: undefined };
      await deliverTurn(alone, { ...last, status: to.all, content: { kind: "text", text: "just in time" } });
    };
    expect(await sweepBatches(kernel)).toBe(1);
    expect(await statuses(boss)).toEqual(["success", to.all]);
    expect(await join(boss)).toMatchObject({ status: to.all, results: [{ status: "success" }, { status: to.all }] });
    await expectOneEnd(boss, to.all);
  });
  test("that passed while no process ran wakes the parent with the join, and not with a bare tool_timeout", async () => {
    const boss = await sleeping("Boss", 2);
    await end(await start(boss.fork.tasks[0]), "success", "in time");
    await makeOverdue(boss, "1 hour");
    expect(await expireTools(kernel)).toBe(0);
    await watchOnce(kernel);
    await expectOneEnd(boss, "timeout");
    expect((await join(boss)).results[0]).toMatchObject({ status: "success", summary: "in time" });
  });
});

describe("what the parent reads", () => {
  test("83 the branches in order, each with its error and its box", async () => {
    const boss = await sleeping("Boss", 3);
    const branches = await Promise.all(boss.fork.tasks.map(start));
    const boxes = branches.map((branch) => branch.turn.output_box_id);
    for (const [i, branch] of [...branches.entries()].reverse())
      await (i === 1 ? end(branch, "failed", null, "boom") : end(branch, "success", `part ${i}`));
    expect((await tasks(boss.fork.batch_id))[1]).toMatchObject({
      status: "failed",
      error_detail: "boom",
      output_box_id: boxes[1],
    });
    const { status, results } = await join(boss);
    expect(status).toBe("partial");
    expect(results.map((one) => [one.task_index, one.status, one.error, one.output_box_id])).toEqual([
      [0, "success", undefined, boxes[0]],
      [1, "failed", "boom", boxes[1]],
      [2, "success", undefined, boxes[2]],
    ]);
    expect(results.map((one) => one.summary)).toEqual(["part 0", expect.stringContaining("boom"), "part 2"]);
  });
  test("a person's turn ends with it", async () => {
    const { agent_turn_id, result } = await launch(kernel, {
      project_id: P,
      tool: "fork_join",
      user: "ann",
      args: { tasks: [toNew("Hand"), toNew("Hand")] },
    });
    if (!("tasks" in result)) throw new Error("a fork was launched");
    for (const task of result.tasks) await end(await start(task));
    const root = await turnOf(kernel, P, agent_turn_id);
    expect(root.status).toBe("success");
    const [card] = (await outputOf(kernel, root)).slice(-1);
    expect(card?.content).toMatchObject({
      kind: "json",
      data: { kind: "join", status: "success", batch_id: result.batch_id },
    });
    expect(await taskFrames(agent_turn_id)).toBe(1);
  });
});

describe("91 93 95 by construction", () => {
  test("a branch is created with its turn, so that it cannot end earlier: the database refuses anything else", async () => {
    const boss = await sleeping("Boss", 1);
    const [task] = boss.fork.tasks;
    await expect(
      kernel.test.pool.query(
        `INSERT INTO state.branch_extra (project_id, batch_id, task_index, batch_task_id, agent_id, metadata, attempt_count, status)
         VALUES ($1, $2, 0, $3, $4, '{}', 1, 'dispatched')`,
        [P, boss.fork.batch_id, task?.batch_task_id, task?.agent_id],
      ),
    ).rejects.toMatchObject({ code: "23514" });
    await end(await start(task));
    expect(await statuses(boss)).toEqual(["success"]);
  });
  test("91 a sweep does not change running branches", async () => {
    const boss = await sleeping("Boss", 2);
    await start(boss.fork.tasks[0]);
    const before = [await batch(boss.fork.batch_id), await tasks(boss.fork.batch_id)];
    expect(await sweepBatches(kernel)).toBe(0);
    expect(await settleBatch(kernel, key(boss))).toBe("running");
    expect([await batch(boss.fork.batch_id), await tasks(boss.fork.batch_id)]).toEqual(before);
  });
  test("93 what arrives after the end of a batch changes nothing", async () => {
    const boss = await sleeping("Boss", 2);
    const [branch] = await Promise.all(boss.fork.tasks.map(start));
    if (!branch) throw new Error("a branch was to run");
    expect(await cancelBatch(kernel, { ...key(boss), by: "ann" })).toBe(true);
    const before = [await batch(boss.fork.batch_id), await tasks(boss.fork.batch_id)];
    expect(isFenced(await end(branch))).toBe(true);
    expect([await settleBatch(kernel, key(boss)), await cancelBatch(kernel, { ...key(boss), by: "ann" })]).toEqual([
      null,
      false,
    ]);
    expect([await batch(boss.fork.batch_id), await tasks(boss.fork.batch_id)]).toEqual(before);
  });
  test("an unknown batch is not_found, and settling it does nothing", async () => {
    const unknown = { project_id: P, batch_id: "batch_none" };
    await expect(cancelBatch(kernel, { ...unknown, by: "ann" })).rejects.toMatchObject({ code: "not_found" });
    expect(await settleBatch(kernel, unknown)).toBeNull();
  });
});

test("a call that had its result already does not keep its batch open", async () => {
  const boss = await sleeping("Boss", 1);
  const { agent_turn_id } = boss;
  const { tool_call_id } = boss.fork;
  const content = { kind: "tool_result" as const, status: "timeout" as const, after_execution: "suspend" as const };
  const result = { agent_turn_id, tool_call_id, message_type: "timeout" as const, author_id: "test", content };
  await withUnit(kernel, (unit) => postResults(unit, { project_id: P, results: [result] }));
  await end(await start(boss.fork.tasks[0]));
  expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "success"]);
  expect((await resultRows(tool_call_id)).map((row) => row.message_type)).toEqual(["timeout"]);
});

test("the statements of ending a batch are the same for 2 branches and for 16", async () => {
  const counts: number[] = [];
  for (const n of [2, 16]) {
    const boss = await sleeping("Boss", n);
    await end(await start(boss.fork.tasks[0]));
    await makeOverdue(boss);
    counts.push(await countStatements(kernel, (counting) => settleBatch(counting, key(boss))));
    expect((await batch(boss.fork.batch_id)).status).toBe("timeout");
  }
  expect(counts[0]).toBe(counts[1]);
});

test("a parent that ends in any way ends its batch, stops the branches and is not woken", async () => {
  const boss = await running("Boss");
  const made = await fork(boss, { tasks: [toNew("Boss"), toNew("Hand")] });
  const child = await start(made.tasks[0]);
  const below = await fork(child, { tasks: [toNew("Hand")] });
  await end(boss, "failed", null, "gave up");
  for (const batch_id of [made.batch_id, below.batch_id])
    expect(await batchFrames(batch_id)).toEqual(["running", "canceled"]);
  const live = await rows(
    "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND ended_at IS NULL",
    [boss.turn.root_turn_id],
  );
  expect(live).toEqual([]);
  expect([await resultRows(made.tool_call_id), await resultRows(below.tool_call_id)]).toEqual([[], []]);
});
