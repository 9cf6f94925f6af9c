// Nodes that a person must let start: by a hold, in a stepped run, at a limit. One decision wins.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { expireRequests } from "../reclaim/expire-requests";
import { stopTurn } from "../reclaim/stop-turn";
import { releaseNode, skipNode } from "./decide-node";
import { retryNode } from "./retry-node";

let kernel: TestKernel;
const P = "holds";
const { launchPlan, nodesOf, statuses, runOf, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());
const at = (plan_run_id: string, node_id: string) => ({ project_id: P, plan_run_id, node_id, by: "ann" });
const requests = (plan_run_id: string) =>
  rows<{ kind: string; status: string; question: object }>(
    "SELECT kind, status, question FROM state.human_requests WHERE project_id = $1 AND arguments ->> 'plan_run_id' = $2",
    [plan_run_id],
  );

describe("a hold", () => {
  const held = () => launchPlan(planBody([wagon("a"), wagon("b", { hold: true, load: [{ from: "a" }] })]));

  test("asks once what comes before has ended, packs nothing, and starts when a person lets it", async () => {
    const { plan_run_id } = await held();
    expect(await requests(plan_run_id)).toEqual([]);
    await endWagon(plan_run_id, "a");
    expect((await nodesOf(plan_run_id)).b).toMatchObject({ status: "held", reason: "hold", batch_id: null });
    expect(await requests(plan_run_id)).toEqual([
      { kind: "plan_hold", status: "open", question: { question: "Start Do b?", details: "hold" } },
    ]);
    await releaseNode(kernel, at(plan_run_id, "b"));
    expect(await statuses(plan_run_id)).toEqual({ a: "success", b: "running" });
    await expect(releaseNode(kernel, at(plan_run_id, "b"))).rejects.toMatchObject({ code: "conflict" });
    await endWagon(plan_run_id, "b");
    expect((await runOf(plan_run_id)).status).toBe("success");
  });

  test("that is refused skips the node, with who and why; a retry starts it after all", async () => {
    const { plan_run_id } = await launchPlan(
      planBody([wagon("b", { hold: true }), wagon("c", { after: [{ node: "b" }] }), wagon("d")]),
    );
    await skipNode(kernel, { ...at(plan_run_id, "b"), reason: "too dear" });
    expect((await nodesOf(plan_run_id)).b).toMatchObject({ status: "skipped", reason: "skipped by ann: too dear" });
    expect((await nodesOf(plan_run_id)).c?.reason).toBe("skipped: 1P01 was skipped, and it waits for its result");
    await retryNode(kernel, at(plan_run_id, "b"));
    expect(await statuses(plan_run_id)).toEqual({ b: "running", c: "waiting", d: "running" });
  });

  test("that two let go at once starts one batch", async () => {
    const { plan_run_id } = await launchPlan(planBody([wagon("b", { hold: true })]));
    await Promise.allSettled([1, 2, 3].map(() => releaseNode(kernel, at(plan_run_id, "b"))));
    const made = await rows("SELECT 1 FROM state.pmo_batches WHERE project_id = $1 AND plan_run_id = $2", [
      plan_run_id,
    ]);
    expect(made).toHaveLength(1);
  });

  test("does not expire by itself, and is dropped with its run", async () => {
    const { plan_run_id, root_turn_id } = await launchPlan(planBody([wagon("b", { hold: true })]));
    await rows(
      "UPDATE state.human_requests SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND agent_turn_id = $2",
      [root_turn_id],
    );
    await expireRequests(kernel);
    expect(await statuses(plan_run_id)).toEqual({ b: "held" });
    await stopTurn(kernel, { project_id: P, agent_turn_id: root_turn_id, scope: "turn", by: "ann" });
    expect((await requests(plan_run_id)).map(({ status }) => status)).toEqual(["dropped"]);
    await expect(releaseNode(kernel, at(plan_run_id, "b"))).rejects.toMatchObject({ code: "conflict" });
  });
});

test("a stepped run asks before each node", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]), {
    is_stepped: true,
  });
  expect(await statuses(plan_run_id)).toEqual({ a: "held", b: "waiting" });
  await releaseNode(kernel, at(plan_run_id, "a"));
  await endWagon(plan_run_id, "a");
  expect(await statuses(plan_run_id)).toEqual({ a: "success", b: "held" });
});

test("a limit holds what would start, and what runs goes on", async () => {
  const { plan_run_id } = await launchPlan(
    planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })], { limits: { turns_max: 1 } }),
  );
  await endWagon(plan_run_id, "a");
  expect((await nodesOf(plan_run_id)).b).toMatchObject({ status: "held", reason: "turns_max 1 reached: 1 turns" });
  await releaseNode(kernel, at(plan_run_id, "b"));
  expect(await statuses(plan_run_id)).toEqual({ a: "success", b: "running" });
});

test("another project's plan run looks missing", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("b", { hold: true })]));
  const foreign = { project_id: "elsewhere", plan_run_id, node_id: "b", by: "eve" };
  for (const act of [releaseNode, skipNode, retryNode])
    await expect(act(kernel, foreign)).rejects.toMatchObject({ code: "not_found" });
});
