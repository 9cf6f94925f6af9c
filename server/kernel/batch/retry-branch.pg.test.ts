// A person retries a branch that did not succeed: it gets one more turn, and the join reads that one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forksOf, joinIn, type Sleeping } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { sweepBatches } from "../reclaim/sweep-batches";
import { isFenced } from "../turns/fenced";
import { retryBranch } from "./retry-branch";

let kernel: TestKernel;
const P = "retry";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
  await seedProject(kernel, "elsewhere");
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { sleeping, start, end, tasks, batch, batchFrames, taskFrames, resumeBy } = forksOf(() => kernel, P);
const retry = (boss: Sleeping, task_index: number) =>
  retryBranch(kernel, { project_id: P, batch_id: boss.fork.batch_id, task_index, by: "human_ann" });
const taskAt = async (boss: Sleeping, i: number) => {
  const task = (await tasks(boss.fork.batch_id))[i];
  if (!task) throw new Error(`there is no task ${i}`);
  return task;
};
const branchAt = async (boss: Sleeping, i: number) => {
  const { agent_id, agent_turn_id } = await taskAt(boss, i);
  return start({ agent_id, agent_turn_id: agent_turn_id ?? undefined });
};

/** Two branches: the first has failed, the second runs. */
async function halfFailed(more: object = {}): Promise<Sleeping> {
  const boss = await sleeping("Boss", 2, more);
  await end(await start(boss.fork.tasks[0]), "failed", null, "no answer");
  return boss;
}

describe("a failed branch of a running batch", () => {
  test("gets a new turn of the same agent with the same context; the join reads its result", async () => {
    const boss = await halfFailed();
    const first = await taskAt(boss, 0);
    await retry(boss, 0);
    const again = await taskAt(boss, 0);
    expect(again).toMatchObject({
      status: "dispatched",
      attempt_count: 2,
      agent_id: first.agent_id,
      context_box_id: first.context_box_id,
      result_view: null,
      error_detail: null,
      metadata: { earlier: [{ agent_turn_id: first.agent_turn_id, status: "failed", retried_by: "human_ann" }] },
    });
    expect(again.agent_turn_id).not.toBe(first.agent_turn_id);
    const [old, made] = [
      await turnOf(kernel, P, first.agent_turn_id ?? ""),
      await turnOf(kernel, P, again.agent_turn_id ?? ""),
    ];
    const given = ["context_box_id", "instruction_card_id", "trace_id", "depth", "task_index", "title"] as const;
    for (const field of given) expect(made[field]).toEqual(old[field]);
    expect(made).toMatchObject({ output_start: 0, parent_turn_id: boss.agent_turn_id, turn_epoch: 2 });
    expect([made.output_box_id === old.output_box_id, made.headcode === old.headcode]).toEqual([false, false]);
    expect([old.status, await taskFrames(old.agent_turn_id)]).toEqual(["failed", 1]);

    await end(await branchAt(boss, 0), "success", "second time lucky");
    await end(await branchAt(boss, 1));
    expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "success"]);
    const { status, results } = joinIn(await resumeBy(boss, boss.fork.tool_call_id));
    expect(status).toBe("success");
    expect(results.map((result) => result.summary)).toEqual(["second time lucky", "done"]);
  });
  test("may fail again, and be retried again", async () => {
    const boss = await halfFailed();
    await retry(boss, 0);
    await end(await branchAt(boss, 0), "timeout", null);
    await retry(boss, 0);
    const { attempt_count, metadata } = await taskAt(boss, 0);
    expect([attempt_count, metadata.earlier?.map((one) => one.status)]).toEqual([3, ["failed", "timeout"]]);
    await end(await branchAt(boss, 0), "failed", null);
    await end(await branchAt(boss, 1));
    expect((await batch(boss.fork.batch_id)).status).toBe("partial");
  });
  test("waits its turn if max_parallel holds it back", async () => {
    const boss = await sleeping("Boss", 3, { max_parallel: 1 });
    await end(await branchAt(boss, 0), "failed", null);
    await retry(boss, 0);
    expect((await tasks(boss.fork.batch_id)).map((task) => task.status)).toEqual(["pending", "dispatched", "pending"]);
    await end(await branchAt(boss, 1));
    expect((await tasks(boss.fork.batch_id)).map((task) => task.status)).toEqual(["dispatched", "success", "pending"]);
  });
  test("is dispatched by the sweep if the process died after writing it", async () => {
    const boss = await halfFailed();
    kernel.probe = (at) => {
      if (at === "before-dispatch") throw new Error("killed");
    };
    await retry(boss, 0);
    expect((await taskAt(boss, 0)).status).toBe("pending");
    kernel.probe = undefined;
    await kernel.test.pool.query("UPDATE state.branch_extra SET next_retry_at = NULL WHERE status = 'pending'");
    await sweepBatches(kernel);
    expect((await taskAt(boss, 0)).status).toBe("dispatched");
  });
  test("has all dispatch attempts again, however many were used before", async () => {
    const boss = await halfFailed();
    const used =
      "INSERT INTO state.branch_extra (project_id, batch_id, task_index, attempt_count) VALUES ($2, $1, 0, 5)";
    await kernel.test.pool.query(used, [boss.fork.batch_id, P]);
    kernel.probe = (at) => {
      if (at === "before-dispatch") throw new Error("busy");
    };
    await retry(boss, 0);
    const { status, attempt_count, next_retry_at, updated_at } = await taskAt(boss, 0);
    expect([status, attempt_count]).toEqual(["pending", 6]);
    expect(Math.round((Date.parse(next_retry_at ?? "") - Date.parse(updated_at)) / 1000)).toBe(2);
  });
  test("what the first attempt's worker still writes is fenced, and does not end the second", async () => {
    const boss = await sleeping("Boss", 2);
    const first = await start(boss.fork.tasks[0]);
    await end(first, "failed", null);
    await retry(boss, 0);
    expect(isFenced(await end(first))).toBe(true);
    expect((await taskAt(boss, 0)).status).toBe("dispatched");
  });
  test("two people at once: one attempt", async () => {
    const boss = await halfFailed();
    const both = await Promise.allSettled([retry(boss, 0), retry(boss, 0)]);
    expect(both.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await taskAt(boss, 0)).attempt_count).toBe(2);
  });
  test("it takes three statements, whatever the batch, and a dispatch", async () => {
    const boss = await halfFailed();
    const units: string[][] = [];
    kernel.probe = (at, names) => {
      if (at === "before-commit") units.push([...names]);
    };
    await retry(boss, 0);
    expect(units[0]).toEqual(["retry_lock", "retry_branch", "retry_reopen"]);
    expect(units.at(-1)?.[0]).toBe("dispatch_lock");
  });
});

describe("is refused, and nothing changes", () => {
  test.each([
    ["a branch that runs", async () => [await halfFailed(), 1], "conflict", /task 1 is dispatched/],
    ["a task that is not there", async () => [await halfFailed(), 7], "not_found", /tasks 0 to 1/],
    ["a batch that fails fast has ended", async () => [await halfFailed({ fail_fast: true }), 0], "conflict", /ended/],
    [
      "a batch that has ended",
      async () => {
        const boss = await halfFailed();
        await end(await branchAt(boss, 1));
        return [boss, 0];
      },
      "conflict",
      /run the turn again on its own/,
    ],
    [
      "a batch whose deadline has passed, though no sweep has ended it yet",
      async () => {
        const boss = await halfFailed();
        await kernel.test.pool.query(
          "UPDATE state.pmo_batches SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND batch_id = $2",
          [P, boss.fork.batch_id],
        );
        return [boss, 0];
      },
      "conflict",
      /has ended, so its tasks/,
    ],
    [
      "a branch that succeeded",
      async () => {
        const boss = await sleeping("Boss", 2);
        await end(await branchAt(boss, 0));
        return [boss, 0];
      },
      "conflict",
      /task 0 is success/,
    ],
  ] as [string, () => Promise<[Sleeping, number]>, string, RegExp][])("%s", async (_name, make, code, message) => {
    const [boss, task_index] = await make();
    const before = await countRows(kernel);
    const asked = retry(boss, task_index);
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await countRows(kernel)).toEqual(before);
  });
  test("a batch of another project", async () => {
    const boss = await halfFailed();
    const input = { project_id: "elsewhere", batch_id: boss.fork.batch_id, task_index: 0, by: "human_ann" };
    await expect(retryBranch(kernel, input)).rejects.toMatchObject({ code: "not_found" });
    expect((await taskAt(boss, 0)).status).toBe("failed");
  });
});
