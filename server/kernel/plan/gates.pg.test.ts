// Deadlines and attempts of a plan's wagons and gates: each is its batch's own, and what follows decides by how the batch ended.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { advancePlans } from "../reclaim/advance-plans";
import { stopTurn } from "../reclaim/stop-turn";
import { sweepBatches } from "../reclaim/sweep-batches";
import { releaseNode } from "./decide-node";
import { stopPlanRun } from "./stop-plan-run";

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
    "UPDATE state.branch_extra SET next_retry_at = now() WHERE project_id = $1 AND batch_id = $2 AND next_retry_at IS NOT NULL",
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

describe("a policy", () => {
  const loadOf = async (plan_run_id: string, node_id: string) => {
    const found = await rows<{ deliverable: string }>(
      `SELECT c.card_id AS deliverable FROM state.plan_run_nodes n JOIN state.agent_turns t ON t.project_id = $1 AND t.batch_id = n.batch_id
       JOIN card_box_chunks k ON k.tenant_id = $1 AND k.box_id = t.context_box_id
       JOIN cards c ON c.tenant_id = $1 AND c.card_id = ANY (k.card_ids) AND c.metadata ->> 'type' = 'task.deliverable'
       WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = $3`,
      [plan_run_id, node_id],
    );
    return found.length;
  };
  const quorum = (more: object = {}) => ({ policy: { kind: "quorum", k: 2, ...more } });

  test("of a gate lets what follows start once enough have delivered, and stops the others", async () => {
    const tasks = [wagon("x"), wagon("y"), wagon("z")];
    const run = await launchPlan(planBody([fork(tasks, quorum()), wagon("after", { load: [{ from: "n" }] })]));
    await endWagon(run.plan_run_id, "n", "success", { task: 2 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", after: "waiting" });
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", after: "running" });
    expect(await loadOf(run.plan_run_id, "after")).toBe(2);
  });

  test("late tasks that go on are no part of the result, also where their follower starts after them", async () => {
    const body = planBody([
      fork([wagon("x"), wagon("y"), wagon("z")], quorum({ late: "run" })),
      wagon("after", { load: [{ from: "n" }, { from: "n", take: "summary" }], hold: true }),
      wagon("own", { load: [{ from: "n.z" }] }),
    ]);
    const run = await launchPlan(body);
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    await endWagon(run.plan_run_id, "n", "success", { task: 1 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", after: "held", own: "waiting" });
    await endWagon(run.plan_run_id, "n", "success", { task: 2 });
    // What waits for that very task has its result.
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", after: "held", own: "running" });
    expect(await loadOf(run.plan_run_id, "own")).toBe(1);
    await releaseNode(kernel, { project_id: P, plan_run_id: run.plan_run_id, node_id: "after", by: "ann" });
    expect(await loadOf(run.plan_run_id, "after")).toBe(2);
  });

  test("a late task whose end nobody followed up is found by the sweep", async () => {
    const body = planBody([
      fork([wagon("x"), wagon("y")], { policy: { kind: "any", late: "run" } }),
      wagon("own", { load: [{ from: "n.y" }] }),
    ]);
    const run = await launchPlan(body);
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    const { batch_id } = await batchOf(run.plan_run_id, "n");
    const [late] = await rows<{ agent_turn_id: string }>(
      "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND batch_id = $2 AND ended_at IS NULL",
      [batch_id],
    );
    // As a process leaves it that dies right after the commit.
    const dying = { ...kernel, onTurnsEnded: undefined };
    await stopTurn(dying, { project_id: P, agent_turn_id: late?.agent_turn_id ?? "", scope: "turn", by: "ann" });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", own: "waiting" });
    await advancePlans(kernel);
    expect(await statuses(run.plan_run_id)).toEqual({ n: "success", own: "skipped" });
  });

  test("late tasks are stopped with the run", async () => {
    const tasks = [wagon("x"), wagon("y")];
    const policy = { policy: { kind: "any", late: "run" } };
    const run = await launchPlan(planBody([fork(tasks, policy), wagon("after", { load: [{ from: "n" }] })]));
    await endWagon(run.plan_run_id, "n", "success", { task: 0 });
    await stopPlanRun(kernel, { project_id: P, plan_run_id: run.plan_run_id, by: "ann" });
    const { batch_id } = await batchOf(run.plan_run_id, "n");
    const live = await rows(
      "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND batch_id = $2 AND ended_at IS NULL",
      [batch_id],
    );
    expect(live).toEqual([]);
  });

  test("out of reach it fails the node at once, and what waits for a failure starts", async () => {
    const run = await launchPlan(planBody(followed(fork([wagon("x"), wagon("y"), wagon("z")], quorum()))));
    await endWagon(run.plan_run_id, "n", "failed", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "running", good: "waiting", bad: "waiting" });
    await endWagon(run.plan_run_id, "n", "failed", { task: 1 });
    expect(await statuses(run.plan_run_id)).toEqual({ n: "failed", good: "skipped", bad: "running" });
  });
});
