// Deadlines and attempts of a plan's wagons and gates: each is its batch's own, and what follows decides by how the batch ended.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { sweepBatches } from "../reclaim/sweep-batches";
import { releaseNode } from "./decide-node";

let kernel: TestKernel;
const P = "plan_gates";
const { launchPlan, nodesOf, statuses, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const batchOf = async (plan_run_id: string, node_id: string) => {
  const [batch] = await rows<{ batch_id: string; status: string; seconds: number | null }>(
    `SELECT batch_id, status, round(extract(epoch FROM deadline_at - created_at))::int AS seconds FROM state.pmo_batches
     WHERE project_id = $1 AND plan_run_id = $2 AND plan_node_id = $3 ORDER BY plan_try DESC`,
    [plan_run_id, node_id],
  );
  if (!batch) throw new Error(`node ${node_id} has no batch`);
  return batch;
};
const pass = async (plan_run_id: string, node_id: string) => {
  const { batch_id } = await batchOf(plan_run_id, node_id);
  await rows(
    "UPDATE state.pmo_batches SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND batch_id = $2",
    [batch_id],
  );
  await sweepBatches(kernel);
};
/** The pause before the next attempt is over. */
const isDue = async (plan_run_id: string, node_id: string) => {
  const { batch_id } = await batchOf(plan_run_id, node_id);
  await rows(
    "UPDATE state.pmo_batch_tasks SET next_retry_at = now() WHERE project_id = $1 AND batch_id = $2 AND next_retry_at IS NOT NULL",
    [batch_id],
  );
  await sweepBatches(kernel);
};
const followed = (node: object) => [
  node,
  wagon("good", { after: [{ node: "n" }] }),
  wagon("bad", { after: [{ node: "n", on: "failed" }] }),
];
const fork = (tasks: object[], gate: object = {}) => ({ id: "n", kind: "fork", tasks, gate });

describe("a deadline", () => {
  test.each([
    ["a wagon's", wagon("n", { deadline_seconds: 120 })],
    ["an ask's", { ...wagon("n", { deadline_seconds: 120 }), kind: "ask" }],
    ["a gate's", fork([wagon("x"), wagon("y")], { deadline_seconds: 120 })],
  ])("%s starts with its batch; once passed the node timed out, and its tracks are taken", async (_, node) => {
    const run = await launchPlan(planBody(followed(node)));
    expect(await batchOf(run.plan_run_id, "n")).toMatchObject({ status: "running", seconds: 120 });
    await pass(run.plan_run_id, "n");
    const nodes = await nodesOf(run.plan_run_id);
    expect([nodes.n?.status, nodes.good?.status, nodes.bad?.status]).toEqual(["timeout", "skipped", "running"]);
    expect(nodes.good?.reason).toMatch(/^skipped: .+ timed out, and .+ its result$/);
  });

  test("of a gate keeps what was delivered in time, and ends the others", async () => {
    const run = await launchPlan(planBody(followed(fork([wagon("x"), wagon("y")], { deadline_seconds: 120 }))));
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    await pass(run.plan_run_id, "n");
    const tasks = await rows<{ status: string }>(
      "SELECT status FROM state.pmo_batch_tasks WHERE project_id = $1 AND batch_id = $2 ORDER BY task_index",
      [(await batchOf(run.plan_run_id, "n")).batch_id],
    );
    expect(tasks.map(({ status }) => status)).toEqual(["success", "timeout"]);
  });

  test("of the run is a node's where it comes first, and time spent held costs a node nothing", async () => {
    const body = planBody(
      [wagon("long", { deadline_seconds: 3_600 }), wagon("short", { deadline_seconds: 60, hold: true })],
      { limits: { deadline_seconds: 600 } },
    );
    const run = await launchPlan(body);
    const { seconds } = await batchOf(run.plan_run_id, "long");
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    // Held for five minutes.
    await rows(
      `UPDATE state.plan_runs SET created_at = created_at - interval '300 s', deadline_at = deadline_at - interval '300 s'
       WHERE project_id = $1 AND plan_run_id = $2`,
      [run.plan_run_id],
    );
    await releaseNode(kernel, { project_id: P, plan_run_id: run.plan_run_id, node_id: "short", by: "ann" });
    expect((await batchOf(run.plan_run_id, "short")).seconds).toBe(60);
  });
});

describe("attempts", () => {
  test("of a wagon are of one node and one try: its followers wait until the last of them", async () => {
    const run = await launchPlan(planBody(followed(wagon("n", { attempts: 2 }))));
    const first = await endWagon(run.plan_run_id, "n", "failed");
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", good: "waiting", bad: "waiting" });
    await isDue(run.plan_run_id, "n");
    const second = await endWagon(run.plan_run_id, "n");
    expect(second).not.toBe(first);
    expect((await nodesOf(run.plan_run_id)).n).toMatchObject({ status: "success", try: 1 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", good: "running", bad: "skipped" });
  });

  test("under fail_fast a failed task with attempts left ends nothing, and its last one ends the fork", async () => {
    const body = planBody(followed(fork([wagon("x", { attempts: 2 }), wagon("y")], { fail_fast: true })));
    const run = await launchPlan(body);
    await endWagon(run.plan_run_id, "n", "failed", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", good: "waiting", bad: "waiting" });
    await isDue(run.plan_run_id, "n");
    await endWagon(run.plan_run_id, "n", "failed", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "failed", good: "skipped", bad: "running" });
    const open = await rows(
      "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND batch_id = $2 AND ended_at IS NULL",
      [(await batchOf(run.plan_run_id, "n")).batch_id],
    );
    expect(open).toEqual([]);
  });

  test("of a task with a track of its own: what follows the task starts before the gate, once it has delivered", async () => {
    const body = planBody([
      fork([wagon("x", { attempts: 2 }), wagon("y")]),
      wagon("early", { load: [{ from: "n.x" }] }),
      wagon("mend", { after: [{ node: "n.x", on: "failed" }] }),
    ]);
    const run = await launchPlan(body);
    await endWagon(run.plan_run_id, "n", "failed", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", early: "waiting", mend: "waiting" });
    await isDue(run.plan_run_id, "n");
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", early: "running", mend: "skipped" });
  });
});
