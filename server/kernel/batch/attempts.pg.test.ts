// A task with attempts left is tried again by itself: the same agent, the same context box, a new turn.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toNew } from "@/server/testing/callers";
import { forksOf, joinIn, type Sleeping } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { stopTurn } from "../reclaim/stop-turn";
import { sweepBatches } from "../reclaim/sweep-batches";
import { cancelBatch } from "./cancel-batch";
import { retryBranch } from "./retry-branch";
import { settleBatch } from "./settle";

let kernel: TestKernel;
const P = "attempts";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { sleeping, start, end, tasks, batch, batchFrames, resultRows, resumeBy } = forksOf(() => kernel, P);
const forked = (attempts: (number | undefined)[], more: object = {}) =>
  sleeping(
    "Boss",
    attempts.map((count, i) => toNew("Boss", { instruction: `part ${i}`, attempts: count })),
    more,
  );
const taskAt = async (boss: Sleeping, i: number) => {
  const task = (await tasks(boss.fork.batch_id))[i];
  if (!task) throw new Error(`there is no task ${i}`);
  return task;
};
const branchAt = async (boss: Sleeping, i: number) => {
  const { agent_id, agent_turn_id } = await taskAt(boss, i);
  return start({ agent_id, agent_turn_id: agent_turn_id ?? undefined });
};
const fails = async (boss: Sleeping, i: number) => end(await branchAt(boss, i), "failed", null, "no answer");
const waitsMs = async (boss: Sleeping, i: number) => {
  const { next_retry_at, updated_at } = await taskAt(boss, i);
  return Math.round((Date.parse(next_retry_at ?? "") - Date.parse(updated_at)) / 1000) * 1000;
};
/** The time until the next attempt is over. */
async function due(boss: Sleeping): Promise<void> {
  await kernel.test.pool.query(
    "UPDATE state.branch_extra SET next_retry_at = now() WHERE project_id = $1 AND batch_id = $2 AND next_retry_at IS NOT NULL",
    [P, boss.fork.batch_id],
  );
  await sweepBatches(kernel);
}

describe("a branch that failed and has attempts left", () => {
  test("is tried again by the same agent with the same context, after 2, 4, 8 and 16 s, and no more", async () => {
    const boss = await forked([5, 1]);
    const first = await taskAt(boss, 0);
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      await fails(boss, 0);
      expect((await taskAt(boss, 0)).status).toBe("pending");
      waits.push(await waitsMs(boss, 0));
      await sweepBatches(kernel);
      expect((await taskAt(boss, 0)).status).toBe("pending");
      await due(boss);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    const last = await taskAt(boss, 0);
    expect(last).toMatchObject({
      status: "dispatched",
      agent_id: first.agent_id,
      context_box_id: first.context_box_id,
    });
    expect(last.metadata.earlier?.map(({ status, retried_by }) => `${status} ${retried_by}`)).toEqual(
      Array.from({ length: 4 }, () => "failed attempts"),
    );
    const [old, made] = [
      await turnOf(kernel, P, first.agent_turn_id ?? ""),
      await turnOf(kernel, P, last.agent_turn_id ?? ""),
    ];
    expect([made.context_box_id, made.instruction_card_id]).toEqual([old.context_box_id, old.instruction_card_id]);
    await fails(boss, 0);
    expect((await taskAt(boss, 0)).status).toBe("failed");
    await end(await branchAt(boss, 1));
    expect(await batchFrames(boss.fork.batch_id)).toEqual(["running", "partial"]);
  });

  test("keeps its batch open, also one that fails fast, and the join reads what it came to", async () => {
    const boss = await forked([2, 1], { fail_fast: true });
    await fails(boss, 0);
    await end(await branchAt(boss, 1));
    expect((await batch(boss.fork.batch_id)).status).toBe("running");
    await due(boss);
    await end(await branchAt(boss, 0), "success", "second time lucky");
    const { status, results } = joinIn(await resumeBy(boss, boss.fork.tool_call_id));
    expect([status, results[0]?.summary]).toEqual(["success", "second time lucky"]);
  });

  test("ends a batch that fails fast with its last attempt", async () => {
    const boss = await forked([2, 1], { fail_fast: true });
    await fails(boss, 0);
    await due(boss);
    await fails(boss, 0);
    expect((await tasks(boss.fork.batch_id)).map((task) => task.status)).toEqual(["failed", "canceled"]);
    expect((await batch(boss.fork.batch_id)).status).toBe("failed");
  });

  test("takes no slot while it waits", async () => {
    const boss = await forked([2, 1], { max_parallel: 1 });
    await fails(boss, 0);
    expect((await tasks(boss.fork.batch_id)).map((task) => task.status)).toEqual(["pending", "dispatched"]);
  });

  test("is found by the sweep when the process died before it was settled", async () => {
    const boss = await forked([2, 1]);
    kernel.probe = (at) => {
      if (at === "settle-locked") throw new Error("killed");
    };
    await fails(boss, 0);
    expect((await taskAt(boss, 0)).status).toBe("failed");
    kernel.probe = undefined;
    await sweepBatches(kernel);
    expect((await taskAt(boss, 0)).status).toBe("pending");
  });

  test("is tried once more, however many settle it", async () => {
    const boss = await forked([3, 1]);
    kernel.probe = (at) => {
      if (at === "settle-locked") throw new Error("killed");
    };
    await fails(boss, 0);
    kernel.probe = undefined;
    const key = { project_id: P, batch_id: boss.fork.batch_id };
    await Promise.all([settleBatch(kernel, key), settleBatch(kernel, key), settleBatch(kernel, key)]);
    expect((await taskAt(boss, 0)).metadata.earlier).toHaveLength(1);
  });
});

describe("a due attempt gives way", () => {
  test("to the deadline, also where every branch has failed", async () => {
    const boss = await forked([5], { deadline_seconds: 60 });
    await fails(boss, 0);
    await kernel.test.pool.query(
      "UPDATE state.pmo_batches SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND batch_id = $2",
      [P, boss.fork.batch_id],
    );
    await due(boss);
    expect((await batch(boss.fork.batch_id)).status).toBe("timeout");
    expect(await taskAt(boss, 0)).toMatchObject({ status: "timeout", agent_turn_id: null });
  });

  test("to a stop of the batch", async () => {
    const boss = await forked([5, 1]);
    await fails(boss, 0);
    await cancelBatch(kernel, { project_id: P, batch_id: boss.fork.batch_id, by: "human_ann" });
    await due(boss);
    expect((await tasks(boss.fork.batch_id)).map((task) => task.status)).toEqual(["canceled", "canceled"]);
  });

  test("to the end of its parent", async () => {
    const boss = await forked([5]);
    await fails(boss, 0);
    await stopTurn(kernel, { project_id: P, agent_turn_id: boss.agent_turn_id, scope: "turn", by: "human_ann" });
    await due(boss);
    expect(await taskAt(boss, 0)).toMatchObject({ status: "canceled", agent_turn_id: null });
    expect(await resultRows(boss.fork.tool_call_id)).toEqual([]);
  });
});

describe("is not tried again by itself", () => {
  test("a branch that a person stopped; when they retry it, that is an attempt", async () => {
    const boss = await forked([2, 1]);
    const { agent_turn_id } = await branchAt(boss, 0);
    await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "human_ann" });
    expect((await taskAt(boss, 0)).status).toBe("canceled");
    await retryBranch(kernel, { project_id: P, batch_id: boss.fork.batch_id, task_index: 0, by: "human_ann" });
    await fails(boss, 0);
    expect((await taskAt(boss, 0)).status).toBe("failed");
  });

  test("a branch that delivered a part", async () => {
    const boss = await forked([3, 1]);
    await end(await branchAt(boss, 0), "partial", "half of it");
    expect((await taskAt(boss, 0)).status).toBe("partial");
  });
});

test("it is two statements more, for three branches as for one", async () => {
  const units: string[][] = [];
  const settled = async (count: number) => {
    const boss = await forked([...Array.from({ length: count }, () => 2), 1]);
    kernel.probe = (at) => {
      if (at === "settle-locked") throw new Error("killed");
    };
    for (let i = 0; i < count; i++) await fails(boss, i);
    kernel.probe = (at, names) => {
      if (at === "before-commit") units.push([...names]);
    };
    await settleBatch(kernel, { project_id: P, batch_id: boss.fork.batch_id });
    kernel.probe = undefined;
  };
  await settled(1);
  await settled(3);
  const names = ["batch_lock", "batch_parent_lock", "batch_branches", "attempts_turns", "retry_reopen"];
  expect(units).toEqual([names, names]);
});
