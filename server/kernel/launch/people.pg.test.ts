// People at the root: their turns are of a separate kind, several may be open at once, and none of them blocks
// another.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, turnOf } from "@/server/testing/turns";
import { cancelBatch } from "../batch/cancel-batch";
import { stopTurn } from "../reclaim/stop-turn";
import { launch } from "./launch";

let kernel: TestKernel;
const P = "people";
const { start, end, rows } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const fork = (action_id?: string, n = 2) =>
  launch(kernel, {
    project_id: P,
    tool: "fork_join",
    user: "ann",
    action_id,
    args: { tasks: Array.from({ length: n }, () => toNew("Plain")) },
  });
async function forked(action_id?: string, n = 2) {
  const answer = await fork(action_id, n);
  if (!("batch_id" in answer.result)) throw new Error("a fork was launched");
  return { ...answer, result: answer.result };
}

describe("111 a person who waits for one fork", () => {
  test("is not busy: another one can be created, and both end by themselves (K1 exempts them)", async () => {
    const first = await forked();
    const second = await forked();
    const asked = await launch(kernel, {
      project_id: P,
      tool: "ask_expert",
      user: "ann",
      args: { expert_profile: "Plain", question: "?" },
    });
    const open = [first, second, asked];
    for (const root of open)
      expect(await turnOf(kernel, P, root.agent_turn_id)).toMatchObject({
        status: "suspended",
        agent_id: "human_ann",
        primitive: "ui_action",
      });
    for (const task of second.result.tasks) await end(await start(task));
    expect([
      (await turnOf(kernel, P, first.agent_turn_id)).status,
      (await turnOf(kernel, P, second.agent_turn_id)).status,
    ]).toEqual(["suspended", "success"]);
  });
  test("has a head that never moves, and nothing in its inbox", async () => {
    const root = await forked();
    const [head] = await rows<{ status: string }>(
      "SELECT status FROM state.agent_state_head WHERE project_id = $1 AND agent_id = 'human_ann'",
      [],
    );
    expect(head?.status).toBe("idle");
    expect(
      await rows("SELECT 1 FROM state.agent_inbox WHERE project_id = $1 AND agent_turn_id = $2", [root.agent_turn_id]),
    ).toEqual([]);
  });
});

describe("113 a person's turn is found by its own id", () => {
  test("the same action_id is the same fork, also once it has ended", async () => {
    const first = await forked("act-fork");
    const before = await countRows(kernel);
    expect(await forked("act-fork")).toEqual({ ...first, is_replay: true });
    expect(await countRows(kernel)).toEqual(before);
    for (const task of first.result.tasks) await end(await start(task));
    const again = await forked("act-fork");
    expect([again.is_replay, again.root_turn_id, again.result.batch_id]).toEqual([
      true,
      first.root_turn_id,
      first.result.batch_id,
    ]);
  });
  test("a stop by that id works, and it ends once", async () => {
    const root = await forked();
    await stopTurn(kernel, { project_id: P, agent_turn_id: root.agent_turn_id, scope: "turn", by: "ann" });
    expect((await framesOf(kernel, P, "task")).filter((frame) => frame.id === root.agent_turn_id)).toHaveLength(1);
    expect(await turnOf(kernel, P, root.agent_turn_id)).toMatchObject({ status: "canceled", error_code: "stopped" });
  });
});

describe("the person's turn and its batch end together", () => {
  test("the last branch ends while the person's turn is stopped", async () => {
    for (let round = 0; round < 6; round++) {
      const root = await forked(undefined, 1);
      const branch = await start(root.result.tasks[0]);
      await Promise.all([
        end(branch),
        stopTurn(kernel, { project_id: P, agent_turn_id: root.agent_turn_id, scope: "turn", by: "ann" }),
      ]);
      expect((await framesOf(kernel, P, "task")).filter((frame) => frame.id === root.agent_turn_id)).toHaveLength(1);
      const [batch] = await rows<{ status: string }>(
        "SELECT status FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2",
        [root.result.batch_id],
      );
      expect(["success", "canceled"]).toContain(batch?.status);
    }
  });
  test("a stopped batch ends it as canceled, with the results so far", async () => {
    const root = await forked();
    await end(await start(root.result.tasks[0]));
    await cancelBatch(kernel, { project_id: P, batch_id: root.result.batch_id, by: "ann" });
    expect(await turnOf(kernel, P, root.agent_turn_id)).toMatchObject({
      status: "canceled",
      note: "joined: 1 of 2 succeeded",
    });
  });
});
