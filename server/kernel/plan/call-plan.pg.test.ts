// Agents launch plans with a tool: who may, what binds the wagons, and one resume with the end of the run.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Kernel } from "@/server/kernel/kernel";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { launchTurn, outputOf, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { reportResult } from "../inbox/report-result";
import { expireTools } from "../reclaim/expire-tools";
import { stopTurn } from "../reclaim/stop-turn";
import { callPlan } from "./call-plan";
import { publishPlan } from "./publish-plan";

let kernel: TestKernel;
let worker: Worker;
const project_id = "callplan";
const { rows } = plansOf((): Kernel => kernel, project_id);

const chief = (name: string, more: object = {}, args: object = {}) =>
  scripted(
    name,
    [
      { call: "launch_plan", arguments: { plan: "Look", inputs: { what: "smoke" }, ...args } },
      { deliver: "{result.1.status}: {result.1.result.summary}" },
    ],
    { allowed_tools: ["launch_plan"], delegation_policy: { target_tags: [] }, ...more },
  );

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    scripted("Reader", [{ deliver: "read {instruction}" }]),
    scripted("Slow", [{ wait_ms: 60_000 }, { deliver: "late" }]),
    chief("Chief"),
    chief("Stranger"),
    { name: "Hand", worker_target: "hand", allowed_tools: ["launch_plan"], delegation_policy: { target_tags: [] } },
    chief("Bound", { delegation_policy: { target_profiles: ["Slow"] } }),
    chief("Waiter", {}, { plan: "Long", inputs: {} }),
    chief("Wrong", {}, { inputs: { wat: "x" } }),
    scripted("Asker", [{ call: "list_capabilities" }, { deliver: "{result.1.plans}" }], {
      allowed_tools: ["launch_plan"],
    }),
  ]);
  await publishPlan(kernel, {
    project_id,
    user: "ann",
    message: "",
    // Bound may run it, and may not delegate to Reader.
    accept_problems: true,
    body: planBody(
      [
        wagon("a", { target: { ref: "Reader" }, instruction: "Look at {input.what}" }),
        wagon("b", { target: { ref: "Reader" }, instruction: "Judge it", load: [{ from: "a" }] }),
      ],
      {
        name: "Look",
        description: "Looks at something",
        inputs: [{ name: "what", kind: "text", required: true }],
        run_by: { profiles: ["Chief", "Hand", "Bound", "Wrong", "Asker"] },
        result: "b",
      },
    ),
  });
  await publishPlan(kernel, {
    project_id,
    user: "ann",
    message: "",
    body: planBody([wagon("a", { target: { ref: "Slow" } })], {
      name: "Long",
      limits: { deadline_seconds: 600 },
      run_by: { profiles: ["Waiter"] },
    }),
  });
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

const resultOf = async (agent_turn_id: string) => {
  const turn = await turnOf(kernel, project_id, agent_turn_id);
  const cards = await outputOf(kernel, turn);
  return cards.flatMap((card) => (card.content?.kind === "tool_result" ? [card.content] : []));
};
const runsOf = (parent: string) =>
  rows<{ plan_run_id: string; status: string; version: number; parent_tool_call_id: string }>(
    "SELECT * FROM state.plan_runs WHERE project_id = $1 AND parent_turn_id = $2",
    [parent],
  );
const until = async (isSo: () => Promise<boolean>) => {
  for (let i = 0; i < 200; i++) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("it did not come about");
};

test("the agent sleeps until the run has ended, and goes on with one result", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Chief" });
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2 });
  const [run, ...others] = await runsOf(agent_turn_id);
  expect(others).toEqual([]);
  expect(run).toMatchObject({ status: "success", version: 1 });
  const results = await resultOf(agent_turn_id);
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({
    status: "success",
    result: {
      plan_run_id: run?.plan_run_id,
      plan: "Look",
      status: "success",
      nodes: [
        { id: "a", status: "success", summary: "read Look at smoke" },
        { id: "b", status: "success" },
      ],
      result: { summary: "read Judge it" },
    },
  });
});

test("a profile that the plan does not name is refused by name, and nothing is written", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Stranger" });
  await untilTurn(kernel, project_id, agent_turn_id);
  expect(await runsOf(agent_turn_id)).toEqual([]);
  const [result] = await resultOf(agent_turn_id);
  expect(JSON.stringify(result)).toContain("profile Stranger may not run plan Look: it is not in the plan's run_by");
});

test("an input that the plan does not declare is refused with those it declares", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Wrong" });
  await untilTurn(kernel, project_id, agent_turn_id);
  expect(JSON.stringify(await resultOf(agent_turn_id))).toContain("the plan declares no input wat. Declared: what");
});

test("the agent's own policy binds every wagon", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Bound" });
  await untilTurn(kernel, project_id, agent_turn_id);
  expect(await runsOf(agent_turn_id)).toEqual([]);
  const [result] = await resultOf(agent_turn_id);
  expect(result).toMatchObject({ status: "failed", error: { code: "invalid_plan" } });
  expect(JSON.stringify(result)).toContain("Bound may not delegate to Reader: its policy allows Slow.");
});

test("while the run goes on its call neither expires nor takes a report, and it is launched once", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Waiter" });
  await until(async () => (await turnOf(kernel, project_id, agent_turn_id)).status === "suspended");
  const [run] = await runsOf(agent_turn_id);
  if (!run) throw new Error("it was launched");
  const tool_call_id = run.parent_tool_call_id;
  await rows(
    "UPDATE state.turn_waiting_tools SET deadline_at = now() - interval '1 h' WHERE project_id = $1 AND tool_call_id = $2",
    [tool_call_id],
  );
  await expireTools(kernel);
  await expect(reportResult(kernel, { project_id, tool_call_id, status: "success", result: {} })).rejects.toMatchObject(
    {
      code: "conflict",
    },
  );
  const turn = await turnOf(kernel, project_id, agent_turn_id);
  expect(turn.status).toBe("suspended");
  const { agent_id, turn_epoch } = turn;
  const caller = { agent_id, agent_turn_id, turn_epoch, tool_call_id };
  expect(await callPlan(kernel, { project_id, caller, args: { plan: "Long" } })).toMatchObject({ fenced: true });
  await stopTurn(kernel, { project_id, agent_turn_id, scope: "turn", by: "ann" });
  expect(await runsOf(agent_turn_id)).toMatchObject([{ status: "canceled" }]);
});

test("an agent is told of the plans that its profile may run", async () => {
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Asker" });
  await untilTurn(kernel, project_id, agent_turn_id);
  const [result] = await resultOf(agent_turn_id);
  expect(result).toMatchObject({
    result: { plans: [{ name: "Look", description: "Looks at something", inputs: [{ name: "what", kind: "text" }] }] },
  });
});

test("the same call is the same run, however often it is made and whatever has happened since", async () => {
  const caller = { ...(await callersOf((): Kernel => kernel, project_id).running("Hand")), tool_call_id: "tc_same" };
  const call = () => callPlan(kernel, { project_id, caller, args: { plan: "look", inputs: { what: "dust" } } });
  const [one, two] = await Promise.all([call(), call()]);
  expect(two).toEqual(one);
  await until(async () => (await runsOf(caller.agent_turn_id))[0]?.status === "success");
  expect(await call()).toEqual(one);
  expect(await runsOf(caller.agent_turn_id)).toHaveLength(1);
});

test("what only a person may give is refused by its name, with what the tool takes", async () => {
  const caller = { agent_turn_id: "turn_x", turn_epoch: 1, agent_id: "agent_x", tool_call_id: "tc_x" };
  const call = (args: object) => callPlan(kernel, { project_id, caller, args });
  for (const field of ["body", "is_stepped"])
    await expect(call({ plan: "look", [field]: true })).rejects.toMatchObject({
      code: "bad_request",
      message: `invalid args.${field}: unknown field. Known fields: plan, version, inputs`,
    });
  await expect(call({})).rejects.toMatchObject({ message: expect.stringMatching(/^invalid args.plan: Name a plan/) });
});
