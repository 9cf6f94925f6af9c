// What people, agents and programs ask of plans that they may not have, or not at that moment: nothing starts unasked, nobody gets
// another's result, and no request holds up the others.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { launchTurn } from "@/server/testing/turns";
import { readBox } from "../cardbox/read-box";
import { forkPlanRun, previewForkPlanRun } from "../launch/fork-plan-run";
import { startTurn } from "../turns/start-turn";
import { callPlan } from "./call-plan";
import { changePlan, deletePlan } from "./change-plan";
import { checkPlan } from "./check-plan";
import { releaseNode } from "./decide-node";
import { editPlanRun } from "./edit-plan-run";
import { parseBody } from "./parse-body";
import { publishPlan } from "./publish-plan";
import { retryNode } from "./retry-node";
import { stopPlanRun } from "./stop-plan-run";

let kernel: TestKernel;
const P = "lying_clients";
const { launchPlan, nodesOf, statuses, runOf, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Lead", allowed_tools: ["launch_plan"] }]);
});
afterAll(() => kernel.close());

const at = (plan_run_id: string, node_id: string) => ({ project_id: P, plan_run_id, node_id, by: "ann" });
const set = (node: string, path: string, value: unknown): PlanOpInput =>
  ({ op: "set", node, path, value }) as PlanOpInput;
const openHolds = (plan_run_id: string) =>
  rows<{ status: string }>(
    "SELECT status FROM state.human_requests WHERE project_id = $1 AND arguments ->> 'plan_run_id' = $2 AND status = 'open'",
    [plan_run_id],
  );
const publish = (name: string, more: object = {}, base_version?: number) =>
  publishPlan(kernel, {
    project_id: P,
    user: "ann",
    message: "",
    body: planBody([wagon("a")], { name, ...more }),
    base_version,
  });

describe("a person who must be asked", () => {
  const fallback = () =>
    launchPlan(
      planBody([wagon("src"), wagon("slow"), wagon("fb", { after: [{ node: "src", on: "failed" }], hold: true })]),
    );

  test("is asked no more once what was held cannot start, and once what it waits for is tried again", async () => {
    const { plan_run_id } = await fallback();
    await endWagon(plan_run_id, "src", "failed");
    expect(await statuses(plan_run_id)).toMatchObject({ fb: "held" });
    await retryNode(kernel, at(plan_run_id, "src"));
    expect(await statuses(plan_run_id)).toMatchObject({ src: "running", fb: "waiting" });
    expect(await openHolds(plan_run_id)).toEqual([]);
    await expect(releaseNode(kernel, at(plan_run_id, "fb"))).rejects.toMatchObject({ code: "conflict" });
    await endWagon(plan_run_id, "src", "failed");
    expect(await statuses(plan_run_id)).toMatchObject({ fb: "held" });
    expect(await openHolds(plan_run_id)).toHaveLength(1);
  });

  test("is asked about a node that was retried before what it waits for had ended", async () => {
    const { plan_run_id } = await launchPlan(
      planBody([wagon("a"), wagon("slow"), wagon("h", { after: [{ node: "a" }], hold: true })]),
    );
    await endWagon(plan_run_id, "a", "failed");
    expect(await statuses(plan_run_id)).toMatchObject({ h: "skipped" });
    await retryNode(kernel, at(plan_run_id, "h"));
    await retryNode(kernel, at(plan_run_id, "a"));
    await endWagon(plan_run_id, "a");
    expect(await statuses(plan_run_id)).toMatchObject({ a: "success", h: "held" });
    expect(await openHolds(plan_run_id)).toHaveLength(1);
  });

  test("is told that a limit is reached, also where a hold or a step stands before it", async () => {
    const limits = { turns_max: 1 };
    const { plan_run_id } = await launchPlan(
      planBody([wagon("a"), wagon("b", { after: [{ node: "a" }], hold: true })], { limits }),
    );
    await endWagon(plan_run_id, "a");
    expect((await nodesOf(plan_run_id)).b?.reason).toBe("hold; turns_max 1 reached: 1 turns");
    const stepped = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })], { limits }), {
      is_stepped: true,
    });
    await releaseNode(kernel, at(stepped.plan_run_id, "a"));
    await endWagon(stepped.plan_run_id, "a");
    expect((await nodesOf(stepped.plan_run_id)).b?.reason).toMatch(/^stepped.*; turns_max 1 reached: 1 turns$/);
  });

  test("is asked before a fork passes the limit by its own tasks", async () => {
    const tasks = ["x", "y", "z"].map((id) => wagon(id));
    const { plan_run_id } = await launchPlan(
      planBody([{ id: "f", kind: "fork", tasks }], { limits: { turns_max: 2 } }),
    );
    expect((await nodesOf(plan_run_id)).f).toMatchObject({
      status: "held",
      reason: "turns_max 2 would be passed: 0 turns, and 3 to start",
    });
  });
});

describe("a fork of a run", () => {
  const twoTasks = (more: object[] = []) =>
    planBody([
      { id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] },
      wagon("r", { load: [{ from: "f.x" }] }),
      ...more,
    ]);

  test("hands nobody another task's result when tasks change their order", async () => {
    const { plan_run_id } = await launchPlan(twoTasks());
    await endWagon(plan_run_id, "f", "success", { task: 0, content: { kind: "text", text: "OF X" } });
    await endWagon(plan_run_id, "f", "success", { task: 1, content: { kind: "text", text: "OF Y" } });
    await endWagon(plan_run_id, "r");
    const ops: PlanOpInput[] = [{ op: "move_task", task: "f.x", at: 1 } as PlanOpInput];
    const { places } = await previewForkPlanRun(kernel, { project_id: P, plan_run_id, ops, force: [], user: "ann" });
    expect(places.find(({ place }) => place === "f")).toEqual({
      place: "f",
      verdict: "runs",
      reason: "its tasks stand in another order",
    });
    const { result } = await forkPlanRun(kernel, { project_id: P, plan_run_id, ops, force: [], user: "ann" });
    const made = "plan_run_id" in result ? result.plan_run_id : "";
    await endWagon(made, "f", "success", { task: 1, content: { kind: "text", text: "NEW X" } });
    const [reader] = await rows<{ context_box_id: string }>(
      `SELECT t.context_box_id FROM state.plan_run_nodes n JOIN state.agent_turns t ON t.project_id = n.project_id AND t.batch_id = n.batch_id
       WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = 'r'`,
      [made],
    );
    const { card_ids } = await readBox(kernel, { project_id: P, box_id: reader?.context_box_id ?? "" });
    const cards = await rows<{ text: string }>(
      "SELECT content::text AS text FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2)",
      [card_ids],
    );
    expect(cards.map(({ text }) => text).join()).toContain("NEW X");
  });

  test("runs what was given the result of a node that is switched off now", async () => {
    const { plan_run_id } = await launchPlan(
      planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "b" }] })]),
    );
    for (const id of ["a", "b", "c"]) await endWagon(plan_run_id, id);
    const { places } = await previewForkPlanRun(kernel, {
      project_id: P,
      plan_run_id,
      ops: [set("b", "/disabled", true)],
      force: [],
      user: "ann",
    });
    expect(places).toEqual([
      { place: "a", verdict: "replayed", reason: expect.stringContaining("as in run") },
      { place: "c", verdict: "runs", reason: "something that it waits for was switched on or off" },
    ]);
  });

  test("keeps its recorded tasks when a held fork only gets another title", async () => {
    const { plan_run_id } = await launchPlan(twoTasks());
    for (const task of [0, 1]) await endWagon(plan_run_id, "f", "success", { task });
    await endWagon(plan_run_id, "r");
    const ops = [set("f", "/hold", true), set("f.x", "/instruction", "Do x otherwise")];
    const { result } = await forkPlanRun(kernel, { project_id: P, plan_run_id, ops, force: [], user: "ann" });
    const made = "plan_run_id" in result ? result.plan_run_id : "";
    expect((await nodesOf(made)).f).toMatchObject({ status: "held", replays: { tasks: { y: expect.any(String) } } });
    const edit = (op: PlanOpInput, body_rev: number) =>
      editPlanRun(kernel, { project_id: P, plan_run_id: made, body_rev, ops: [op], reason: "", by: "ann" });
    await edit(set("f", "/title", "Two looks"), 1);
    expect((await nodesOf(made)).f).toMatchObject({ replays: { tasks: { y: expect.any(String) } } });
    await edit(set("f.y", "/instruction", "Do y otherwise"), 2);
    expect((await nodesOf(made)).f).toMatchObject({ replays: null });
  });
});

test("a summary waits for the whole fork, also where one of its tasks is named", async () => {
  const { plan_run_id } = await launchPlan(
    planBody([
      { id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] },
      wagon("r", { load: [{ from: "f.x", take: "summary" }] }),
    ]),
  );
  await endWagon(plan_run_id, "f", "success", { task: 0 });
  expect(await statuses(plan_run_id)).toEqual({ f: "running", r: "waiting" });
  await endWagon(plan_run_id, "f", "success", { task: 1 });
  expect(await statuses(plan_run_id)).toEqual({ f: "success", r: "running" });
});

test("a node that was switched off in a run can be switched on again, and starts", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]));
  const edit = (value: boolean, body_rev: number) =>
    editPlanRun(kernel, {
      project_id: P,
      plan_run_id,
      body_rev,
      ops: [set("b", "/disabled", value)],
      reason: "",
      by: "ann",
    });
  await edit(true, 1);
  expect(await statuses(plan_run_id)).toEqual({ a: "running", b: "skipped" });
  await edit(false, 2);
  expect(await statuses(plan_run_id)).toEqual({ a: "running", b: "waiting" });
  await endWagon(plan_run_id, "a");
  expect(await statuses(plan_run_id)).toEqual({ a: "success", b: "running" });
});

describe("a stop", () => {
  test("of a run that has ended is refused, and stops nobody", async () => {
    const { plan_run_id } = await launchPlan(planBody([wagon("a")]));
    await endWagon(plan_run_id, "a");
    const stop = () => stopPlanRun(kernel, { project_id: P, plan_run_id, by: "ann", reason: "too late" });
    await expect(stop()).rejects.toMatchObject({ code: "conflict" });
    expect((await runOf(plan_run_id)).status).toBe("success");
  });

  test("ends the run with all it has started, and the person's turn with it", async () => {
    const { plan_run_id, root_turn_id } = await launchPlan(
      planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]),
    );
    await stopPlanRun(kernel, { project_id: P, plan_run_id, by: "ann", reason: "enough" });
    expect((await runOf(plan_run_id)).status).toBe("canceled");
    expect(await statuses(plan_run_id)).toEqual({ a: "canceled", b: "skipped" });
    const turns = await rows<{ status: string }>(
      "SELECT status FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2",
      [root_turn_id],
    );
    expect(turns.map(({ status }) => status)).toEqual(["canceled", "canceled"]);
  });

  test("of a run that an agent launched tells the agent, which goes on", async () => {
    await publish("Inner", { run_by: { profiles: ["Lead"] } });
    const { agent_turn_id, plan_run_id } = await callInner("Inner");
    await stopPlanRun(kernel, { project_id: P, plan_run_id, by: "ann" });
    const [turn] = await rows<{ status: string }>(
      "SELECT status FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
      [agent_turn_id],
    );
    expect(turn?.status).not.toBe("canceled");
    const told = await rows(
      "SELECT 1 FROM state.agent_inbox WHERE project_id = $1 AND agent_turn_id = $2 AND message_type = 'tool_result'",
      [agent_turn_id],
    );
    expect(told).toHaveLength(1);
  });
});

async function callInner(plan: string, version?: number) {
  const { agent_turn_id, agent_id } = await launchTurn(kernel, P, { target: "Lead" });
  const [head] = await rows<{ turn_epoch: number }>(
    "SELECT turn_epoch FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [agent_turn_id],
  );
  await startTurn(kernel, { project_id: P, agent_turn_id, turn_epoch: head?.turn_epoch ?? 1, worker_id: "w" });
  const made = await callPlan(kernel, {
    project_id: P,
    caller: { agent_id, agent_turn_id, turn_epoch: head?.turn_epoch ?? 1, tool_call_id: `tc_${agent_turn_id}` },
    args: { plan, ...(version !== undefined && { version }) },
  });
  if (!("plan_run_id" in made)) throw new Error("the call was fenced");
  return { agent_turn_id, plan_run_id: made.plan_run_id };
}

test("a plan inside another is held by the limits of the outer one too", async () => {
  await publish("Deep", {
    run_by: { profiles: ["Lead"] },
    nodes: [wagon("a"), wagon("b", { after: [{ node: "a" }] })],
  });
  const outer = await launchPlan(
    planBody([{ ...wagon("lead"), target: { ref: "Lead" } }], { limits: { turns_max: 2 } }),
  );
  const [turn] = await rows<{ agent_turn_id: string; agent_id: string; turn_epoch: number }>(
    "SELECT agent_turn_id, agent_id, turn_epoch FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human",
    [outer.root_turn_id],
  );
  if (!turn) throw new Error("the outer plan has started nothing");
  await startTurn(kernel, { project_id: P, ...turn, worker_id: "w" });
  const inner = await callPlan(kernel, {
    project_id: P,
    caller: { ...turn, tool_call_id: "tc_deep" },
    args: { plan: "Deep" },
  });
  if (!("plan_run_id" in inner)) throw new Error("the call was fenced");
  await endWagon(inner.plan_run_id, "a");
  expect((await nodesOf(inner.plan_run_id)).b).toMatchObject({
    status: "held",
    reason: "turns_max 2 of plan Test reached: 2 turns",
  });
});

describe("a published plan", () => {
  test("that is archived is neither launched nor published", async () => {
    await publish("Old");
    await changePlan(kernel, { project_id: P, name: "Old", change: { archived: true } });
    await expect(launchPlan(undefined, { plan: "Old" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("archived"),
    });
    await expect(publish("Old", { description: "more" }, 1)).rejects.toMatchObject({ code: "conflict" });
    await changePlan(kernel, { project_id: P, name: "Old", change: { archived: false } });
    await launchPlan(undefined, { plan: "Old" });
  });

  test("is no longer an agent's once its profile is taken out, whichever version it names", async () => {
    await publish("Shared", { run_by: { profiles: ["Lead"] } });
    await publish("Shared", { description: "for people" }, 1);
    for (const version of [undefined, 1, 2])
      await expect(callInner("Shared", version)).rejects.toMatchObject({ code: "auth_failed" });
    await publish("Shared", { run_by: { profiles: ["Lead"] }, description: "again" }, 2);
    expect((await callInner("Shared")).plan_run_id).toMatch(/^prun_/);
  });

  test("tells an agent that may not run it nothing of its problems", async () => {
    await publishPlan(kernel, {
      project_id: P,
      user: "ann",
      message: "",
      body: planBody([wagon("a", { target: { ref: "Nobody_such" } })], { name: "Broken" }),
      accept_problems: true,
    });
    await expect(callInner("Broken")).rejects.toMatchObject({
      code: "auth_failed",
      message: expect.not.stringContaining("Nobody_such"),
    });
  });

  test("is not deleted while it is launched: one of the two is refused", async () => {
    for (let i = 0; i < 8; i++) {
      await publish(`Gone ${i}`);
      const [launched, deleted] = await Promise.allSettled([
        launchPlan(undefined, { plan: `Gone ${i}` }),
        deletePlan(kernel, { project_id: P, name: `Gone ${i}` }),
      ]);
      expect([launched.status, deleted.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
    const stray = await rows(
      `SELECT 1 FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM resource.plans p WHERE p.project_id = $1 AND p.plan_id = r.plan_id)`,
    );
    expect(stray).toEqual([]);
  });

  test("has a name that can stand in an address", async () => {
    for (const name of [".", ".."]) {
      await expect(publish(name)).rejects.toMatchObject({ code: "bad_request" });
      await expect(changePlan(kernel, { project_id: P, name: "Old", change: { name } })).rejects.toMatchObject({
        code: "bad_request",
      });
    }
  });
});

describe("a very large request", () => {
  test("with ten thousand nodes without an id is refused at once, and ids are minted in line", () => {
    const nodes = (count: number) => Array.from({ length: count }, () => ({ instruction: "Do it" }));
    const before = process.cpuUsage().user;
    const refused = parsePlan({ switchyard: "plan/1", nodes: nodes(10_000) });
    expect("fault" in refused && refused.fault.path).toBe("nodes");
    const ids = parsePlan({ switchyard: "plan/1", nodes: nodes(1_000) });
    expect("plan" in ids && new Set(ids.plan.nodes.map(({ id }) => id)).size).toBe(1_000);
    // Microseconds of this process: it was a minute.
    expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
  });

  test("whose inputs would make an instruction of gigabytes is told so, by the check and by the launch", async () => {
    const body = planBody(
      Array.from({ length: 60 }, (_, i) => wagon(`w${i}`, { instruction: "{input.q}".repeat(400) })),
      { inputs: [{ name: "q", kind: "text" }] },
    );
    const inputs = { q: "y".repeat(1_000_000) };
    const { problems } = await checkPlan(kernel, {
      project_id: P,
      plan: parseBody(body),
      inputs,
      as: { user: "ann" },
    });
    expect(problems.filter(({ code }) => code === "instruction_long")).toHaveLength(60);
    expect(problems.find(({ code }) => code === "instruction_long")?.message).toContain("over 1 MiB with its inputs");
    await expect(launchPlan(body, { inputs })).rejects.toMatchObject({ code: "invalid_plan" });
  });

  test("that names thousands of unknown inputs is told of the first, and no remedy carries megabytes", async () => {
    const names = Array.from({ length: 30_000 }, (_, i) => `{input.n${i}}`).join("");
    const long = { name: "q", kind: "text", default: "z".repeat(900_000) };
    const found = await checkPlan(kernel, {
      project_id: P,
      plan: parseBody(planBody([wagon("a", { instruction: names })], { inputs: [long] })),
      as: { user: "ann" },
    });
    const unknown = found.problems.filter(({ code }) => code === "input_unknown");
    expect(unknown).toHaveLength(40);
    expect(JSON.stringify(found.problems).length).toBeLessThan(1_000_000);
  });
});
