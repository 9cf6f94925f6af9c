// Two that act on a plan at one moment, and what a plan run was given before: neither waits for the other for ever, nothing that was
// recorded is lost, and nothing that was deleted is told again.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { launchTurn } from "@/server/testing/turns";
import { settleBatch } from "../batch/settle";
import { hideCard } from "../cardbox/hide-card";
import { forkPlanRun } from "../launch/fork-plan-run";
import { startTurn } from "../turns/start-turn";
import { withUnit } from "../unit";
import { callPlan } from "./call-plan";
import { changePlan } from "./change-plan";
import { skipNode } from "./decide-node";
import { editPlanRun } from "./edit-plan-run";
import { publishPlan } from "./publish-plan";
import { retryNode } from "./retry-node";
import { stopPlanRun } from "./stop-plan-run";

let kernel: TestKernel;
const P = "plan_races";
const { launchPlan, nodesOf, statuses, runOf, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Lead", allowed_tools: ["launch_plan"] }]);
});
afterAll(() => kernel.close());

const at = (plan_run_id: string, node_id: string) => ({ project_id: P, plan_run_id, node_id, by: "ann" });
const publish = (name: string, more: object = {}) =>
  publishPlan(kernel, { project_id: P, user: "ann", message: "", body: planBody([wagon("a")], { name, ...more }) });

async function callInner(plan: string): Promise<string> {
  const { agent_turn_id, agent_id } = await launchTurn(kernel, P, { target: "Lead" });
  const [turn] = await rows<{ turn_epoch: number }>(
    "SELECT turn_epoch FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [agent_turn_id],
  );
  const caller = { agent_id, agent_turn_id, turn_epoch: turn?.turn_epoch ?? 1 };
  await startTurn(kernel, { project_id: P, ...caller, worker_id: "w" });
  const made = await callPlan(kernel, {
    project_id: P,
    caller: { ...caller, tool_call_id: `tc_${agent_turn_id}` },
    args: { plan },
  });
  if (!("plan_run_id" in made)) throw new Error("the call was fenced");
  return made.plan_run_id;
}

test("an agent's plan run that is stopped while one of its batches is settled: neither has to be tried again", async () => {
  await publish("Settled", { run_by: { profiles: ["Lead"] } });
  const plan_run_id = await callInner("Settled");
  const batch_id = (await nodesOf(plan_run_id)).a?.batch_id ?? "";
  await endWagon(plan_run_id, "a", "success", {}, { ...kernel, onTurnsEnded: undefined, onPlanDue: undefined });
  let locked = 0;
  let stopped: Promise<void> | undefined;
  const settling = {
    ...kernel,
    probe: async (point: string) => {
      if (point !== "settle-locked" || ++locked > 1) return;
      stopped = stopPlanRun(kernel, { project_id: P, plan_run_id, by: "ann" });
      // Longer than Postgres waits before it looks for a deadlock: the settle is found to be the one in the way.
      await new Promise((done) => setTimeout(done, 1_500));
    },
  };
  await settleBatch(settling, { project_id: P, batch_id });
  await stopped;
  expect(locked).toBe(1);
  expect(await runOf(plan_run_id)).toMatchObject({ status: "canceled" });
  expect(await statuses(plan_run_id)).toEqual({ a: "success" });
});

test("a plan is renamed to a name that another is given at once: one of the two is told that it is taken", async () => {
  await publish("First");
  await publish("Second");
  let renames = 0;
  let other: Promise<unknown> | undefined;
  const slow = {
    ...kernel,
    probe: async (point: string) => {
      if (point !== "before-commit" || ++renames > 1) return;
      other = changePlan(kernel, { project_id: P, name: "Second", change: { name: "Third" } }).catch((e) => e);
      await new Promise((done) => setTimeout(done, 300));
    },
  };
  await changePlan(slow, { project_id: P, name: "First", change: { name: "Third" } });
  expect(await other).toMatchObject({
    code: "conflict",
    message: "name: a plan named Third exists; choose another name",
  });
});

test("a fork of a run keeps its recorded tasks when its fork was skipped before it started, and is retried", async () => {
  const { plan_run_id } = await launchPlan(
    planBody([{ id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] }, wagon("r", { load: [{ from: "f.x" }] })]),
  );
  for (const task of [0, 1]) await endWagon(plan_run_id, "f", "success", { task });
  await endWagon(plan_run_id, "r");
  const ops: PlanOpInput[] = [
    { op: "set", node: "f", path: "/hold", value: true },
    { op: "set", node: "f.x", path: "/instruction", value: "Do x otherwise" },
  ];
  const { result } = await forkPlanRun(kernel, { project_id: P, plan_run_id, ops, force: ["r"], user: "ann" });
  const made = "plan_run_id" in result ? result.plan_run_id : "";
  const edit: PlanOpInput = { op: "add_node", node: { ...wagon("slow"), kind: "wagon" } } as PlanOpInput;
  await editPlanRun(kernel, { project_id: P, plan_run_id: made, body_rev: 1, ops: [edit], reason: "", by: "ann" });
  await skipNode(kernel, at(made, "f"));
  await retryNode(kernel, at(made, "f"));
  const { f } = await nodesOf(made);
  expect(f).toMatchObject({ status: "running", replays: { tasks: { y: expect.any(String) } }, headcodes: ["1P01"] });
  const turns = await rows("SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND batch_id = $2", [f?.batch_id]);
  expect(turns).toHaveLength(1);
});

test("the text of an input whose card was deleted reaches no node that starts later, and no fork of the run", async () => {
  const inputs = [{ name: "secret", kind: "text" }];
  const { plan_run_id } = await launchPlan(
    planBody([wagon("a"), wagon("b", { after: [{ node: "a" }], instruction: "Use {input.secret}" })], { inputs }),
    { inputs: { secret: "swordfish" } },
  );
  const { secret } = (await runOf(plan_run_id)).inputs;
  const card_id = secret && "card_id" in secret ? secret.card_id : "";
  await withUnit(kernel, (unit) => hideCard(unit, { project_id: P, card_id, by: "ann" }));
  await endWagon(plan_run_id, "a");
  await endWagon(plan_run_id, "b");
  const { result } = await forkPlanRun(kernel, { project_id: P, plan_run_id, ops: [], force: ["b"], user: "ann" });
  const told = await rows<{ text: string }>(
    `SELECT c.content::text AS text FROM state.agent_turns t JOIN state.pmo_batches b ON b.project_id = t.project_id AND b.batch_id = t.batch_id
     JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.instruction_card_id
     WHERE t.project_id = $1 AND b.plan_run_id = ANY ($2) AND b.plan_node_id = 'b'`,
    [[plan_run_id, "plan_run_id" in result ? result.plan_run_id : ""]],
  );
  expect(told.map(({ text }) => text)).toEqual(Array(2).fill(expect.stringContaining("Use [content deleted]")));
});
