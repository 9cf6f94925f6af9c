// The checks of plan runs find what is wrong: rows are doctored one way at a time, and each is found by its own name.
import { afterAll, beforeAll, expect, test } from "vitest";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { checkInvariants } from "./invariants";
import { openTestKernel, seedProject, type TestKernel } from "./kernel";
import { planBody, plansOf, wagon } from "./plan-runs";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

let projects = 0;
/** A run in a project of its own, whose first node has delivered. */
async function started() {
  const project_id = `doctored_${++projects}`;
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  const { launchPlan, endWagon, rows } = plansOf(() => kernel, project_id);
  const made = await launchPlan(
    planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { hold: true })]),
  );
  await endWagon(made.plan_run_id, "a");
  const found = async (when: "always" | "settled" = "always") => {
    const { violations } = await checkInvariants(kernel.db.pool, { project_id, when });
    return [...new Set(violations.map(({ invariant }) => invariant))].filter((name) => /plan/.test(name));
  };
  const stop = () => stopTurn(kernel, { project_id, agent_turn_id: made.root_turn_id, scope: "turn", by: "ann" });
  return { ...made, rows, found, stop };
}

test("a run as the kernel leaves it breaks none of them, running, ended and stopped", async () => {
  const { found, stop } = await started();
  expect(await found()).toEqual([]);
  expect(await found("settled")).toEqual(["every plan run has ended"]);
  await stop();
  expect(await found("settled")).toEqual([]);
});

test.each<[string, string]>([
  [
    "a plan run that has ended has no open node and no batch that runs",
    "UPDATE state.plan_run_nodes SET status = 'waiting', batch_id = NULL WHERE project_id = $1 AND plan_run_id = $2 AND node_id = 'c'",
  ],
  ["a plan run that has ended has said so once", "DELETE FROM state.journal_packs WHERE project_id = $1"],
  [
    "a node of a plan has the batch of its try, and started each try once (K18)",
    "UPDATE state.plan_run_nodes SET try = 7 WHERE project_id = $1 AND plan_run_id = $2 AND node_id = 'a'",
  ],
  [
    "a node of a plan says what its batch says",
    "UPDATE state.plan_run_nodes SET status = 'partial' WHERE project_id = $1 AND plan_run_id = $2 AND node_id = 'a'",
  ],
  [
    "a plan run and the turn that waits for it end together (K19)",
    "UPDATE state.agent_turns SET ended_at = NULL, status = 'suspended' WHERE project_id = $1 AND agent_turn_id = (SELECT parent_turn_id FROM state.plan_runs WHERE project_id = $1 AND plan_run_id = $2)",
  ],
  [
    "a person is asked about a node of a plan while it is held, and not longer",
    "UPDATE state.human_requests SET status = 'open', decided_at = NULL WHERE project_id = $1 AND kind = 'plan_hold' AND arguments ->> 'plan_run_id' = $2",
  ],
  [
    "a node of a plan that has started waited for what it loads (K20)",
    "UPDATE state.plan_run_nodes SET status = 'failed', batch_id = NULL, error_code = 'x', reason = 'x' WHERE project_id = $1 AND plan_run_id = $2 AND node_id = 'a'",
  ],
  [
    "the body of a plan run has one revision for each edit, and a row for each of its nodes",
    "UPDATE state.plan_runs SET body_rev = 5 WHERE project_id = $1 AND plan_run_id = $2",
  ],
  [
    "the body of a plan run has one revision for each edit, and a row for each of its nodes",
    "UPDATE state.plan_runs SET body = jsonb_set(body, '{nodes,0,id}', '\"other\"') WHERE project_id = $1 AND plan_run_id = $2",
  ],
])("%s is found when it does not hold", async (name, doctor) => {
  const { plan_run_id, rows, found, stop } = await started();
  await stop();
  expect(await found()).toEqual([]);
  await rows(doctor, doctor.includes("$2") ? [plan_run_id] : []);
  expect(await found()).toContain(name);
});
