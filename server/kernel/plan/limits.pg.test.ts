// Limits of a plan run: each node is asked about for itself, a person passes only a limit that they were told of, and a limit that is
// raised asks nobody any more.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { advancePlan } from "./advance-plan";
import { releaseNode } from "./decide-node";
import { editPlanRun } from "./edit-plan-run";
import { retryNode } from "./retry-node";

let kernel: TestKernel;
const P = "limits";
const { launchPlan, nodesOf, statuses, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const at = (plan_run_id: string, node_id: string) => ({ project_id: P, plan_run_id, node_id, by: "ann" });
const openHolds = (plan_run_id: string) =>
  rows<{ node_id: string }>(
    `SELECT arguments ->> 'node_id' AS node_id FROM state.human_requests
     WHERE project_id = $1 AND arguments ->> 'plan_run_id' = $2 AND status = 'open' ORDER BY 1`,
    [plan_run_id],
  );
const edit = (plan_run_id: string, op: PlanOpInput) =>
  editPlanRun(kernel, { project_id: P, plan_run_id, body_rev: 1, ops: [op], reason: "", by: "ann" });

test("a fork that would pass the limit is held, and a wagon for which there is room starts", async () => {
  const { plan_run_id } = await launchPlan(
    planBody([{ id: "f", kind: "fork", tasks: ["x", "y", "z"].map((id) => wagon(id)) }, wagon("b")], {
      limits: { turns_max: 2 },
    }),
  );
  expect(await statuses(plan_run_id)).toEqual({ f: "held", b: "running" });
});

test("a limit that is raised starts what it held, and nobody is asked about it any more", async () => {
  const { plan_run_id } = await launchPlan(
    planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })], { limits: { turns_max: 1 } }),
  );
  await endWagon(plan_run_id, "a");
  expect(await openHolds(plan_run_id)).toEqual([{ node_id: "b" }]);
  await edit(plan_run_id, { op: "set", path: "/limits/turns_max", value: 5 });
  expect(await statuses(plan_run_id)).toMatchObject({ b: "running" });
  expect(await openHolds(plan_run_id)).toEqual([]);
});

describe("a limit that was reached after a person was asked", () => {
  const held = () => launchPlan(planBody([wagon("a"), wagon("h", { hold: true })], { limits: { turns_max: 1 } }));

  test("holds the node again, with the limit as the reason, and is passed by whoever lets that pass", async () => {
    const { plan_run_id } = await launchPlan(
      planBody([wagon("h", { hold: true }), wagon("a")], { limits: { turns_max: 1 } }),
    );
    expect((await nodesOf(plan_run_id)).h).toMatchObject({ status: "held", reason: "hold" });
    await releaseNode(kernel, at(plan_run_id, "h"));
    expect((await nodesOf(plan_run_id)).h).toMatchObject({ status: "held", reason: "turns_max 1 reached: 1 turns" });
    expect(await openHolds(plan_run_id)).toEqual([{ node_id: "h" }]);
    await releaseNode(kernel, at(plan_run_id, "h"));
    expect(await statuses(plan_run_id)).toEqual({ h: "running", a: "running" });
    expect(await openHolds(plan_run_id)).toEqual([]);
  });

  test("was told with the hold, and is passed with it", async () => {
    const { plan_run_id } = await held();
    expect((await nodesOf(plan_run_id)).h?.reason).toBe("hold; turns_max 1 reached: 1 turns");
    await releaseNode(kernel, at(plan_run_id, "h"));
    expect(await statuses(plan_run_id)).toMatchObject({ h: "running" });
  });

  test("holds a node whose start failed for a while", async () => {
    const full = { ...kernel, tunables: { ...kernel.tunables, queuedMax: 0 } };
    const { plan_run_id } = await launchPlan(
      planBody([wagon("s"), wagon("b", { after: [{ node: "s" }] }), wagon("h", { hold: true })], {
        limits: { turns_max: 2 },
      }),
    );
    await endWagon(plan_run_id, "s", "success", {}, { ...full, onPlanDue: undefined, onTurnsEnded: undefined });
    await rows(
      "UPDATE state.pmo_batches SET status = 'success', ended_at = now() WHERE project_id = $1 AND plan_run_id = $2",
      [plan_run_id],
    );
    await advancePlan(full, { project_id: P, plan_run_id });
    expect((await nodesOf(plan_run_id)).b).toMatchObject({ status: "waiting", starts: 1 });
    await releaseNode(kernel, at(plan_run_id, "h"));
    await rows(
      "UPDATE state.plan_run_nodes SET next_retry_at = now() WHERE project_id = $1 AND plan_run_id = $2 AND node_id = 'b'",
      [plan_run_id],
    );
    await advancePlan(kernel, { project_id: P, plan_run_id });
    const { b, h } = await nodesOf(plan_run_id);
    expect([b?.status, h?.status].toSorted()).toEqual(["held", "running"]);
  });

  test("holds a node that is tried again", async () => {
    const { plan_run_id } = await held();
    await releaseNode(kernel, at(plan_run_id, "h"));
    await endWagon(plan_run_id, "h", "failed");
    await retryNode(kernel, at(plan_run_id, "h"));
    expect((await nodesOf(plan_run_id)).h).toMatchObject({ status: "held", try: 2 });
  });
});
