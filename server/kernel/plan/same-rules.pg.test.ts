// A wagon of a plan is bound by what binds its caller's own calls: policy, boxes and depth (K23), when the plan is checked and
// when the wagon starts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { callPlan } from "./call-plan";
import { releaseNode } from "./decide-node";
import { publishPlan } from "./publish-plan";

let kernel: TestKernel;
const project_id = "same_rules";
const { rows, nodesOf } = plansOf(() => kernel, project_id);
const { running, call } = callersOf(() => kernel, project_id);
let foreign = "";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    { name: "Reader" },
    { name: "Other", delegation_policy: { target_profiles: [] } },
    {
      name: "Chief",
      allowed_tools: ["launch_plan", "delegate_async"],
      delegation_policy: { target_profiles: ["Reader"] },
    },
  ]);
  const reader = await running("Reader");
  foreign = reader.turn.context_box_id;
  const publish = (name: string, nodes: object[]) =>
    publishPlan(kernel, {
      project_id,
      user: "ann",
      message: "",
      accept_problems: true,
      body: planBody(nodes, { name, run_by: { profiles: ["Chief"] } }),
    });
  await publish("Other one", [wagon("a", { target: { ref: "Other" } })]);
  await publish("Foreign box", [wagon("a", { target: { ref: "Reader" }, load: [{ box: foreign }] })]);
  await publish("Held", [wagon("a", { target: { ref: "Reader" }, hold: true })]);
});
afterAll(() => kernel.close());

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "accepted",
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );
const chief = async () => {
  const caller = await running("Chief");
  return { ...caller, tool_call_id: `tc_${caller.agent_turn_id}` };
};
const delegated = (target_ref: string, more: object = {}) => ({
  target_strategy: "new",
  target_ref,
  instruction: "Do it",
  ...more,
});

describe("K23: a plan wagon passes the same policy, authorisation and depth checks as the same call made by its caller", () => {
  test("policy", async () => {
    const caller = await chief();
    expect(await codeOf(call(caller, delegated("Other")))).toMatch(/^auth_failed: Chief may not delegate to Other/);
    expect(await codeOf(callPlan(kernel, { project_id, caller, args: { plan: "Other one" } }))).toBe(
      "invalid_plan: Chief may not delegate to Other: its policy allows Reader.",
    );
  });

  test("boxes", async () => {
    const caller = await chief();
    const load = [{ box_id: foreign }];
    expect(await codeOf(call(caller, delegated("Reader", { load })))).toBe(
      `bad_request: unauthorized box_id: ${foreign}`,
    );
    expect(await codeOf(callPlan(kernel, { project_id, caller, args: { plan: "Foreign box" } }))).toBe(
      `invalid_plan: Box ${foreign} is not Chief's to hand over. Load a copy you may, or ask a person.`,
    );
  });

  test("depth", async () => {
    const caller = await chief();
    await rows("UPDATE state.agent_turns SET depth = 19 WHERE project_id = $1 AND agent_turn_id = $2", [
      caller.agent_turn_id,
    ]);
    expect(await codeOf(call(caller, delegated("Reader")))).toMatch(/^recursion_depth_exceeded:/);
    expect(await codeOf(callPlan(kernel, { project_id, caller, args: { plan: "Held" } }))).toBe(
      "invalid_plan: Do a would run at depth 20, the limit is 20.",
    );
  });

  test.each([
    [
      "policy",
      "UPDATE state.agent_turns SET profile_box_id = (SELECT profile_box_id FROM resource.profiles WHERE project_id = $1 AND name = 'Other') WHERE project_id = $1 AND agent_turn_id = $2",
      "auth_failed",
    ],
    [
      "depth",
      "UPDATE state.agent_turns SET depth = 19 WHERE project_id = $1 AND agent_turn_id = $2",
      "recursion_depth_exceeded",
    ],
  ])("%s again when the wagon starts, whatever the check said before", async (_what, change, code) => {
    const caller = await chief();
    const made = await callPlan(kernel, { project_id, caller, args: { plan: "Held" } });
    if (!("plan_run_id" in made)) throw new Error("the caller was fenced");
    const { plan_run_id } = made;
    expect((await nodesOf(plan_run_id)).a?.status).toBe("held");
    await rows(change, [caller.agent_turn_id]);
    await releaseNode(kernel, { project_id, plan_run_id, node_id: "a", by: "ann" });
    expect((await nodesOf(plan_run_id)).a).toMatchObject({ status: "failed", error_code: code, batch_id: null });
  });
});
