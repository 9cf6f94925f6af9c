import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, launchTurn, outputOf, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { launch } from "../launch/launch";
import { sweepBatches } from "../reclaim/sweep-batches";

let kernel: TestKernel;
let worker: Worker;
const project_id = "fork";

const parent = (name: string, args: Record<string, unknown>) =>
  scripted(name, [{ call: "fork_join", arguments: args as never }, { deliver: "joined {result.1.status}" }], {
    allowed_tools: ["fork_join", "ask_expert"],
    delegation_policy: { target_tags: [] },
  });
const task = (target_ref: string, instruction = "go") => ({ target_strategy: "new", target_ref, instruction });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    scripted("Good", [{ deliver: "did {instruction}" }]),
    scripted("Bad", [{ fail: "boom" }]),
    scripted("Slow", [{ wait_ms: 60_000 }, { deliver: "late" }]),
    parent("Three", { tasks: [task("Good", "a"), task("Bad", "b"), task("Good", "c")] }),
    parent("Fast", { tasks: [task("Slow"), task("Bad"), task("Slow")], fail_fast: true }),
    parent("Narrow", { tasks: [task("Good", "1"), task("Good", "2"), task("Good", "3")], max_parallel: 1 }),
    parent("Late", { tasks: [task("Good"), task("Slow")], deadline_seconds: 600 }),
    scripted(
      "Asker",
      [
        { call: "ask_expert", arguments: { expert_profile: "Good", question: "why" } },
        { deliver: "told {result.1.summary}" },
      ],
      {
        allowed_tools: ["ask_expert"],
      },
    ),
  ]);
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

const joinOf = async (agent_turn_id: string) => {
  const turn = await turnOf(kernel, project_id, agent_turn_id);
  const card = (await outputOf(kernel, turn)).find((one) => one.type === "tool.result");
  return card?.content?.kind === "tool_result" ? card.content : null;
};

test("a fork of three: results in the order of the tasks, one resume under a new epoch", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Three" });
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2 });
  const join = await joinOf(agent_turn_id);
  expect(join).toMatchObject({
    status: "partial",
    result: {
      status: "partial",
      results: [
        { task_index: 0, status: "success", summary: "did a" },
        { task_index: 1, status: "failed", error: "boom" },
        { task_index: 2, status: "success", summary: "did c" },
      ],
    },
  });
  const batches = await framesOf(kernel, project_id, "batch");
  expect(batches.map((frame) => frame.status)).toEqual(["running", "partial"]);
});

test("fail-fast really stops the others", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Fast" });
  await untilTurn(kernel, project_id, agent_turn_id);
  const join = await joinOf(agent_turn_id);
  expect(join).toMatchObject({ status: "failed", error: { code: "batch_failed" } });
  const { rows } = await kernel.db.pool.query(
    "SELECT status FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY task_index",
    [project_id, agent_turn_id],
  );
  expect(rows.map((row) => row.status)).toEqual(["canceled", "failed", "canceled"]);
});

test("max_parallel: one after the other, in the order of the tasks", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Narrow" });
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  expect(turn.status).toBe("success");
  expect(await joinOf(agent_turn_id)).toMatchObject({ status: "success" });
});

test("a deadline ends it as timeout, whatever succeeded", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Late" });
  const endedOf = async () => {
    const { rows } = await kernel.db.pool.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 AND status = 'success'",
      [project_id, agent_turn_id],
    );
    return rows[0]?.n;
  };
  await expect.poll(endedOf, { timeout: 20_000 }).toBe(1);
  await kernel.db.pool.query(
    "UPDATE state.pmo_batches SET deadline_at = now() WHERE project_id = $1 AND parent_agent_turn_id = $2",
    [project_id, agent_turn_id],
  );
  // None where another branch ended in this moment, and found the batch due.
  expect(await sweepBatches(kernel)).toBeLessThanOrEqual(1);
  await untilTurn(kernel, project_id, agent_turn_id);
  expect(await joinOf(agent_turn_id)).toMatchObject({
    status: "timeout",
    result: { status: "timeout", results: [{ status: "success" }, { status: "timeout" }] },
  });
});

test("an expert answers the asker", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Asker" });
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  expect(turn.status).toBe("success");
  expect(await joinOf(agent_turn_id)).toMatchObject({ result: { status: "success", summary: "did why" } });
  expect(turn.note).toBe("told did why");
});

test("a person forks: the root turn waits for the join", async () => {
  const { agent_turn_id } = await launch(kernel, {
    project_id,
    tool: "fork_join",
    user: "ann",
    args: { tasks: [task("Good", "x"), task("Good", "y")] },
  });
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  expect(turn).toMatchObject({ status: "success", primitive: "ui_action" });
});
