// Branches that max_parallel holds back: dispatched as others end, tried again after a temporary failure, and never after
// the end of their batch.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { forksOf, joinIn, type Sleeping } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import type { Kernel } from "../kernel";
import { sweepBatches } from "../reclaim/sweep-batches";
import { cancelBatch } from "./cancel-batch";
import { dispatchPending } from "./dispatch-pending";
import { settleBatch } from "./settle";

let kernel: TestKernel;
const P = "dispatch";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { sleeping, start, end, tasks, batch, batchFrames, resumeBy, rows } = forksOf(() => kernel, P);
const key = (boss: Sleeping) => ({ project_id: P, batch_id: boss.fork.batch_id });
const statuses = async (boss: Sleeping) => (await tasks(boss.fork.batch_id)).map((task) => task.status);
const turnsOf = (boss: Sleeping) =>
  rows<{ status: string; task_index: number }>(
    "SELECT status, task_index FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY task_index",
    [boss.agent_turn_id],
  );
const failing = (error: Error) => {
  kernel.probe = (at) => {
    if (at === "before-dispatch") throw error;
  };
};
const makeDue = (boss: Sleeping) =>
  kernel.test.pool.query(
    "UPDATE state.branch_extra SET next_retry_at = now() WHERE batch_id = $1 AND next_retry_at IS NOT NULL",
    [boss.fork.batch_id],
  );
/** One branch has ended, and the next one should have been dispatched. */
async function heldBack(n: number, more: object = {}): Promise<Sleeping> {
  const boss = await sleeping("Boss", n, { max_parallel: 1, ...more });
  await end(await start(boss.fork.tasks[0]));
  return boss;
}

describe("as siblings end", () => {
  test("the next one is dispatched, in the order of the tasks, and never more than max_parallel", async () => {
    const boss = await sleeping("Boss", 5, { max_parallel: 2 });
    const seen: string[][] = [];
    for (let i = 0; i < 5; i++) {
      const [, task] = [0, (await tasks(boss.fork.batch_id)).find((one) => one.status === "dispatched")];
      if (!task) throw new Error("a branch was to run");
      await end(await start({ agent_id: task.agent_id, agent_turn_id: task.agent_turn_id ?? undefined }));
      seen.push(await statuses(boss));
    }
    expect(seen).toEqual([
      ["success", "dispatched", "dispatched", "pending", "pending"],
      ["success", "success", "dispatched", "dispatched", "pending"],
      ["success", "success", "success", "dispatched", "dispatched"],
      ["success", "success", "success", "success", "dispatched"],
      ["success", "success", "success", "success", "success"],
    ]);
    expect((await turnsOf(boss)).map((turn) => turn.task_index)).toEqual([0, 1, 2, 3, 4]);
    expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "success"]);
  });
  test("85 the turn's id is recorded once, with the data of the branch", async () => {
    const boss = await heldBack(2);
    const [, task] = await tasks(boss.fork.batch_id);
    expect(task).toMatchObject({
      status: "dispatched",
      attempt_count: 1,
      metadata: { dispatch_channel_id: boss.turn.channel },
    });
    expect(task?.metadata).not.toHaveProperty("turn");
    expect(await turnOf(kernel, P, task?.agent_turn_id ?? "")).toMatchObject({
      batch_task_id: task?.batch_task_id,
      task_index: 1,
      trace_id: task?.metadata.child_trace_id,
      context_box_id: task?.context_box_id,
      status: "dispatched",
      turn_epoch: 1,
    });
  });
  test("89 two dispatchers on one branch: one of them creates its turn", async () => {
    const boss = await sleeping("Boss", 2, { max_parallel: 1 });
    await kernel.test.pool.query("UPDATE state.pmo_batches SET max_parallel = 2 WHERE batch_id = $1", [
      boss.fork.batch_id,
    ]);
    const answers = await Promise.all([1, 2, 3].map(() => dispatchPending(kernel, key(boss))));
    expect(answers.map((answer) => answer.dispatched).sort()).toEqual([0, 0, 1]);
    expect(await turnsOf(boss)).toHaveLength(2);
  });
  test("195 no process ran when a branch ended: a sweep dispatches the next one", async () => {
    const boss = await sleeping("Boss", 2, { max_parallel: 1 });
    const branch = await start(boss.fork.tasks[0]);
    kernel.probe = (at) => {
      if (at === "after-commit") throw new Error("killed");
    };
    await expect(end(branch)).rejects.toThrow("killed");
    kernel.probe = undefined;
    await sweepBatches(kernel);
    expect(await statuses(boss)).toEqual(["success", "dispatched"]);
    const [, next] = await tasks(boss.fork.batch_id);
    await end(await start({ agent_id: next?.agent_id ?? "", agent_turn_id: next?.agent_turn_id ?? undefined }));
    expect((await resumeBy(boss, boss.fork.tool_call_id)).status).toBe("running");
  });
});

describe("87 89 a dispatch that fails for a temporary reason", () => {
  test("is retried after 2, 4, 8, 16 s, and fails for good at the fifth attempt", async () => {
    failing(new Error("busy"));
    const boss = await heldBack(2);
    const waits: number[] = [];
    for (let attempt = 1; attempt < 5; attempt++) {
      const [, task] = await tasks(boss.fork.batch_id);
      expect(task).toMatchObject({
        status: "pending",
        attempt_count: attempt,
        error_detail: "dispatch_error:internal_error",
      });
      waits.push(Math.round((Date.parse(task?.next_retry_at ?? "") - Date.parse(task?.updated_at ?? "")) / 1000));
      // Not before it is due.
      expect(await dispatchPending(kernel, key(boss))).toEqual({ dispatched: 0, failed: 0 });
      expect((await tasks(boss.fork.batch_id))[1]?.attempt_count).toBe(attempt);
      await makeDue(boss);
      await sweepBatches(kernel);
    }
    expect(waits).toEqual([2, 4, 8, 16]);
    expect((await tasks(boss.fork.batch_id))[1]).toMatchObject({
      status: "failed",
      attempt_count: 5,
      error_detail: "dispatch_retry_exhausted: internal_error",
    });
    kernel.probe = undefined;
    expect(joinIn(await resumeBy(boss, boss.fork.tool_call_id))).toMatchObject({
      status: "partial",
      results: [{ status: "success" }, { status: "failed", error: "dispatch_retry_exhausted: internal_error" }],
    });
  });
  test("and succeeds as soon as the reason is gone", async () => {
    failing(new Error("busy"));
    const boss = await heldBack(2);
    kernel.probe = undefined;
    await makeDue(boss);
    await sweepBatches(kernel);
    expect((await tasks(boss.fork.batch_id))[1]).toMatchObject({
      status: "dispatched",
      attempt_count: 2,
      error_detail: null,
      next_retry_at: null,
    });
  });
  test("a refusal is not retried, and the batch continues", async () => {
    failing(new KernelError("not_found", "gone"));
    const boss = await heldBack(2, { fail_fast: true });
    expect((await tasks(boss.fork.batch_id))[1]).toMatchObject({
      status: "failed",
      attempt_count: 1,
      error_detail: "dispatch_error:not_found",
    });
    expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "failed"]);
  });
  test("of one branch does not block another one", async () => {
    const boss = await sleeping("Boss", 4, { max_parallel: 1 });
    // The agent of the second is gone; nothing can be queued for it.
    await kernel.test.pool.query("DELETE FROM resource.project_agents WHERE agent_id = $1", [
      boss.fork.tasks[1]?.agent_id,
    ]);
    await kernel.test.pool.query("UPDATE state.pmo_batches SET max_parallel = 3 WHERE batch_id = $1", [
      boss.fork.batch_id,
    ]);
    await end(await start(boss.fork.tasks[0]));
    expect(await statuses(boss)).toEqual(["success", "pending", "dispatched", "dispatched"]);
  });
});

describe("after the end of the batch", () => {
  test("93 nothing is dispatched", async () => {
    const boss = await sleeping("Boss", 3, { max_parallel: 1 });
    await cancelBatch(kernel, { ...key(boss), by: "ann" });
    expect(await dispatchPending(kernel, key(boss))).toEqual({ dispatched: 0, failed: 0 });
    expect(await statuses(boss)).toEqual(["canceled", "canceled", "canceled"]);
    expect(await turnsOf(boss)).toHaveLength(1);
  });
  test("97 a dispatch that failed meanwhile does not bring its branch back", async () => {
    const boss = await sleeping("Boss", 2, { max_parallel: 1 });
    await kernel.test.pool.query("UPDATE state.pmo_batches SET max_parallel = 2 WHERE batch_id = $1", [
      boss.fork.batch_id,
    ]);
    // The batch is stopped after the failure and before it is recorded.
    const { pool } = kernel.test;
    const late: Kernel = { ...kernel, db: { ...kernel.db, pool: Object.create(pool) } };
    let connections = 0;
    late.db.pool.connect = (async () => {
      if (++connections === 2) await cancelBatch(kernel, { ...key(boss), by: "ann" });
      return pool.connect();
    }) as unknown as typeof pool.connect;
    late.probe = (at) => {
      if (at === "before-dispatch") throw new Error("busy");
    };
    expect(await dispatchPending(late, key(boss))).toEqual({ dispatched: 0, failed: 0 });
    expect(connections).toBeGreaterThanOrEqual(2);
    expect(await statuses(boss)).toEqual(["canceled", "canceled"]);
  });
  test("189 a branch that is being dispatched as its batch ends is stopped with it", async () => {
    const boss = await sleeping("Boss", 2, { max_parallel: 1 });
    await kernel.test.pool.query(
      "UPDATE state.pmo_batches SET max_parallel = 2, deadline_at = now() + interval '1 hour' WHERE batch_id = $1",
      [boss.fork.batch_id],
    );
    let ending: Promise<unknown> | undefined;
    kernel.probe = (at) => {
      if (at !== "before-dispatch" || ending) return;
      // It waits for the batch row, which the dispatch holds, and so sees the branch's turn.
      ending = cancelBatch({ ...kernel, probe: undefined }, { ...key(boss), by: "ann" });
    };
    expect((await dispatchPending(kernel, key(boss))).dispatched).toBe(1);
    await ending;
    expect((await batch(boss.fork.batch_id)).status).toBe("canceled");
    expect((await turnsOf(boss)).map((turn) => turn.status)).toEqual(["canceled", "canceled"]);
    expect(await settleBatch(kernel, key(boss))).toBeNull();
  });
});
