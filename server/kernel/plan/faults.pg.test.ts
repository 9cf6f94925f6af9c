// A plan run survives whatever happens between its acts: cut before each commit, two processes at once, a stop at the same
// moment, a start that is refused or fails for a while, a deadline. No node starts twice, none is lost (K18, K19, K20).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { turnOf } from "@/server/testing/turns";
import { advancePlans } from "../reclaim/advance-plans";
import { stopTurn } from "../reclaim/stop-turn";
import { sweepBatches } from "../reclaim/sweep-batches";
import { tunables } from "../tunables";
import { advancePlan } from "./advance-plan";
import { releaseNode } from "./decide-node";

let kernel: TestKernel;
const P = "plan_faults";
const { launchPlan, nodesOf, statuses, runOf, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  // A start that was cut is tried again at once.
  kernel = await openTestKernel({ tunables: { ...tunables, dispatchRetryMs: 1, dispatchRetryMsMax: 5 } });
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Leaving" }]);
});
afterAll(() => kernel.close());

const batches = (plan_run_id: string) =>
  rows<{ plan_node_id: string; plan_try: number }>(
    "SELECT plan_node_id, plan_try FROM state.pmo_batches WHERE project_id = $1 AND plan_run_id = $2 ORDER BY created_at, plan_node_id",
    [plan_run_id],
  );
/** Whoever ended the wagon died before the plan was told. */
const untold = () => ({ ...kernel, onPlanDue: undefined, onTurnsEnded: undefined });
const endUntold = async (plan_run_id: string, node: string) => {
  await endWagon(plan_run_id, node, "success", {}, untold());
  await sweepBatches(untold());
};
const sweep = async () => {
  for (let i = 0; i < 4; i++) {
    await advancePlans(kernel);
    await new Promise((done) => setTimeout(done, 5));
  }
};
const diamond = () =>
  planBody([
    wagon("a"),
    wagon("b", { load: [{ from: "a" }] }),
    wagon("c", { load: [{ from: "a", take: "output" }] }),
    wagon("d", { load: [{ from: "b" }, { from: "c" }] }),
  ]);

describe("cut before the commit of an act", () => {
  test.each([1, 2, 3, 4, 5])("number %i: nothing of it is there, and the sweep does it once", async (fatal) => {
    let acts = 0;
    const cutting = {
      ...kernel,
      probe: (point: string) => {
        if (point === "plan-acted" && ++acts === fatal) throw new Error("cut");
      },
    };
    const run = await launchPlan(diamond());
    for (const node of ["a", "b", "c", "d"]) {
      await endUntold(run.plan_run_id, node);
      await advancePlan(cutting, { project_id: P, plan_run_id: run.plan_run_id }).catch(() => undefined);
      await sweep();
    }
    expect((await runOf(run.plan_run_id)).status).toBe("success");
    expect((await batches(run.plan_run_id)).map(({ plan_node_id }) => plan_node_id).toSorted()).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect((await turnOf(kernel, P, run.root_turn_id)).status).toBe("success");
  });
});

test("advanced by five at once, each node starts once and the run ends once", async () => {
  const run = await launchPlan(diamond());
  const key = { project_id: P, plan_run_id: run.plan_run_id };
  const crowd = () => Promise.all(Array.from({ length: 5 }, () => advancePlan(kernel, key)));
  for (const node of ["a", "b", "c", "d"]) {
    await endWagon(run.plan_run_id, node);
    await crowd();
  }
  expect(await batches(run.plan_run_id)).toHaveLength(4);
  const frames = await rows(
    "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 AND status = 'success'",
    [run.root_turn_id],
  );
  expect(frames).toHaveLength(1);
});

test("stopped while a node is about to start: it starts or it does not, and nothing runs on", async () => {
  for (let i = 0; i < 8; i++) {
    const run = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]));
    await Promise.allSettled([
      endWagon(run.plan_run_id, "a"),
      stopTurn(kernel, { project_id: P, agent_turn_id: run.root_turn_id, scope: "subtree", by: "ann" }),
    ]);
    await sweep();
    const over = await runOf(run.plan_run_id);
    expect(over.status).not.toBe("running");
    const open = await rows(
      "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND ended_at IS NULL",
      [run.root_turn_id],
    );
    expect(open).toEqual([]);
  }
});

describe("a start", () => {
  test("that is refused fails its node with the code and message, and the others go on", async () => {
    const run = await launchPlan(
      planBody([
        wagon("a"),
        wagon("bad", { target: { ref: "Leaving" }, hold: true }),
        wagon("after", { after: [{ node: "bad", on: "failed" }] }),
      ]),
    );
    // It was there when the plan was checked.
    await rows("UPDATE resource.profiles SET name = 'Left' WHERE project_id = $1 AND name = 'Leaving'");
    await releaseNode(kernel, { project_id: P, plan_run_id: run.plan_run_id, node_id: "bad", by: "ann" });
    expect((await nodesOf(run.plan_run_id)).bad).toMatchObject({
      status: "failed",
      error_code: "not_found",
      batch_id: null,
    });
    expect(await statuses(run.plan_run_id)).toMatchObject({ a: "running", after: "running" });
  });

  test("that fails for a while is tried again, five times, and then given up", async () => {
    const full = {
      ...kernel,
      tunables: { ...kernel.tunables, queuedMax: 0 },
    };
    const run = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]));
    await endUntold(run.plan_run_id, "a");
    for (let i = 0; i < 6; i++) {
      await advancePlan(full, { project_id: P, plan_run_id: run.plan_run_id });
      await new Promise((done) => setTimeout(done, 10));
    }
    expect((await nodesOf(run.plan_run_id)).b).toMatchObject({
      status: "failed",
      error_code: "dispatch_retry_exhausted",
    });
  });
});

test("past its deadline the run is timed out: what runs is stopped, the rest is skipped", async () => {
  const run = await launchPlan(
    planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })], { limits: { deadline_seconds: 3600 } }),
  );
  await rows(
    "UPDATE state.plan_runs SET deadline_at = now() - interval '1 s' WHERE project_id = $1 AND plan_run_id = $2",
    [run.plan_run_id],
  );
  await sweep();
  expect((await runOf(run.plan_run_id)).status).toBe("timeout");
  expect(await statuses(run.plan_run_id)).toEqual({ a: "timeout", b: "skipped" });
  expect(await turnOf(kernel, P, run.root_turn_id)).toMatchObject({ status: "timeout" });
});
