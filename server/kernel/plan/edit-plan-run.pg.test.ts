// An edit of a run that runs: what is not packed changes, what is packed does not (K22), and who starts a node and who edits it
// never both win.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { advancePlan } from "./advance-plan";
import { releaseNode } from "./decide-node";
import { editPlanRun } from "./edit-plan-run";
import { readPlanRun } from "./read-plan-runs";

let kernel: TestKernel;
const P = "edited";
const { launchPlan, nodesOf, statuses, endWagon, rows, runOf } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Other" }]);
  await seedProject(kernel, "edited_by_others", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const edit = (plan_run_id: string, ops: PlanOpInput[], more: object = {}) =>
  editPlanRun(kernel, { project_id: P, plan_run_id, body_rev: 1, ops, reason: "", by: "ann", ...more });
const set = (node: string, path: string, value: never | string | boolean | object): PlanOpInput => ({
  op: "set",
  node,
  path,
  value: value as string,
});
const add = (id: string, more: object = {}): PlanOpInput => ({
  op: "add_node",
  node: { kind: "wagon", ...wagon(id, more) } as never,
});
const chain = () =>
  planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "b" }] })]);
const instructionOf = async (plan_run_id: string, node_id: string): Promise<string> => {
  const [row] = await rows<{ title: string }>(
    `SELECT t.title FROM state.pmo_batches b JOIN state.agent_turns t ON t.project_id = b.project_id AND t.batch_id = b.batch_id
     WHERE b.project_id = $1 AND b.plan_run_id = $2 AND b.plan_node_id = $3`,
    [plan_run_id, node_id],
  );
  return row?.title ?? "";
};

test("a waiting node runs as it was changed, an added one with a code of its own, one that was taken away never", async () => {
  const { plan_run_id } = await launchPlan(chain());
  await edit(
    plan_run_id,
    [
      set("b", "/instruction", "Do b in another way"),
      { op: "remove_node", node: "c" },
      add("d", { load: [{ from: "a" }], target: { ref: "Other" } }),
    ],
    { reason: "better" },
  );
  const { body, body_rev, nodes } = await readPlanRun(kernel, { project_id: P, plan_run_id });
  expect(body_rev).toBe(2);
  expect(body.nodes.map(({ id }) => id)).toEqual(["a", "b", "d"]);
  expect(nodes.map(({ node_id, headcodes }) => [node_id, headcodes])).toEqual([
    ["a", ["1P01"]],
    ["b", ["1P02"]],
    ["d", ["1O01"]],
  ]);
  expect((await nodesOf(plan_run_id)).c).toMatchObject({ status: "skipped", reason: "taken away by ann" });
  await endWagon(plan_run_id, "a");
  expect(await statuses(plan_run_id)).toMatchObject({ a: "success", b: "running", d: "running" });
  expect(await instructionOf(plan_run_id, "b")).toBe("Do b in another way");
  await endWagon(plan_run_id, "b");
  await endWagon(plan_run_id, "d");
  expect(await runOf(plan_run_id)).toMatchObject({ status: "success" });
  expect(
    await rows("SELECT n, by, reason, ops FROM state.plan_run_edits WHERE project_id = $1 AND plan_run_id = $2", [
      plan_run_id,
    ]),
  ).toMatchObject([
    { n: 1, by: "ann", reason: "better", ops: [{ op: "set" }, { op: "remove_node" }, { op: "add_node" }] },
  ]);
});

test("K22: a node that has a batch takes no edit, alone or with others, and nothing is written", async () => {
  const { plan_run_id } = await launchPlan(chain());
  const body = (await readPlanRun(kernel, { project_id: P, plan_run_id })).body;
  for (const ops of [
    [set("a", "/instruction", "x")],
    [{ op: "remove_node" as const, node: "a" }],
    [set("b", "/instruction", "x"), set("a", "/id", "z")],
    [add("d"), { op: "add_track" as const, to: "a", track: { node: "d", on: "ended" as const } }],
  ])
    await expect(edit(plan_run_id, ops)).rejects.toMatchObject({
      code: "packed",
      message: "Do a is packed. Stop or fork it, or change what comes after.",
    });
  await endWagon(plan_run_id, "a", "failed");
  expect(await statuses(plan_run_id)).toEqual({ a: "failed", b: "skipped", c: "skipped" });
  expect((await readPlanRun(kernel, { project_id: P, plan_run_id })).body).toEqual(body);
  expect(
    await rows("SELECT n FROM state.plan_run_edits WHERE project_id = $1 AND plan_run_id = $2", [plan_run_id]),
  ).toEqual([]);
});

test("a held node that was changed is asked about again, and one whose hold was taken off starts", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("a", { hold: true }), wagon("b", { hold: true })]));
  const first = await nodesOf(plan_run_id);
  await edit(plan_run_id, [set("a", "/instruction", "Do it otherwise"), set("b", "/hold", false)]);
  const second = await nodesOf(plan_run_id);
  expect(second.a).toMatchObject({ status: "held" });
  expect(second.a?.request_id).not.toBe(first.a?.request_id);
  expect(second.b).toMatchObject({ status: "running" });
  const requests = await rows<{ status: string }>(
    "SELECT status FROM state.human_requests WHERE project_id = $1 AND request_id = ANY ($2)",
    [[first.a?.request_id, first.b?.request_id, second.a?.request_id]],
  );
  expect(requests.map(({ status }) => status).toSorted()).toEqual(["dropped", "dropped", "open"]);
  await releaseNode(kernel, { project_id: P, plan_run_id, node_id: "a", by: "ann" });
  expect(await instructionOf(plan_run_id, "a")).toBe("Do it otherwise");
});

describe("is refused, and nothing is written", () => {
  test.each<[string, PlanOpInput[], object, object]>([
    ["an older body", [set("b", "/title", "x")], { body_rev: 7 }, { code: "conflict", detail: { body_rev: 1 } }],
    ["an operation that does not fit", [{ op: "remove_node", node: "zz" }], {}, { code: "bad_request" }],
    ["a circle", [{ op: "add_track", to: "b", track: { node: "c", on: "ended" } }], {}, { code: "invalid_plan" }],
    ["a profile that is not there", [set("b", "/target", { ref: "Nobody" })], {}, { code: "invalid_plan" }],
    ["a box that is not there", [{ op: "add_load", to: "b", load: { box: "nope" } }], {}, { code: "invalid_plan" }],
    ["another name", [{ op: "set", path: "/name", value: "q" }], {}, { code: "bad_request" }],
    ["301 wagons", Array.from({ length: 300 }, (_, i) => add(`n${i}`)), {}, { code: "invalid_plan" }],
  ])("%s", async (_what, ops, more, refusal) => {
    const { plan_run_id } = await launchPlan(chain());
    const before = await countRows(kernel);
    await expect(edit(plan_run_id, ops, more)).rejects.toMatchObject(refusal);
    expect(await countRows(kernel)).toEqual(before);
    expect((await readPlanRun(kernel, { project_id: P, plan_run_id })).body_rev).toBe(1);
  });

  test("a run of another project, and one that has ended", async () => {
    const { plan_run_id } = await launchPlan(planBody([wagon("a")]));
    const foreign = { project_id: "edited_by_others" };
    await expect(edit(plan_run_id, [add("b")], foreign)).rejects.toMatchObject({ code: "not_found" });
    await endWagon(plan_run_id, "a");
    await expect(edit(plan_run_id, [add("b")])).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("an edit and a start of the same node", () => {
  test("the start first: the edit is told that the node is packed", async () => {
    const { plan_run_id } = await launchPlan(chain());
    await endWagon(plan_run_id, "a", "success", {}, { ...kernel, onPlanDue: undefined, onTurnsEnded: undefined });
    await rows(
      "UPDATE state.pmo_batches SET status = 'success', ended_at = now() WHERE project_id = $1 AND plan_run_id = $2",
      [plan_run_id],
    );
    let go = () => {};
    const blocked = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached = () => {};
    const atLock = new Promise<void>((resolve) => {
      reached = resolve;
    });
    // The advance adopts the end of a and starts b; it is stopped while it holds the run's row.
    let acts = 0;
    const slow = {
      ...kernel,
      probe: async (point: string) => {
        if (point !== "plan-acted" || ++acts > 1) return;
        reached();
        await blocked;
      },
    };
    const starting = advancePlan(slow, { project_id: P, plan_run_id });
    await atLock;
    const editing = edit(plan_run_id, [set("b", "/instruction", "too late")]).catch((error: unknown) => error);
    go();
    await starting;
    expect(await editing).toMatchObject({ code: "packed" });
    expect(await instructionOf(plan_run_id, "b")).toBe("Do b");
  });

  test("the edit first: the node starts as it was changed", async () => {
    const { plan_run_id } = await launchPlan(chain());
    await endWagon(plan_run_id, "a", "success", {}, { ...kernel, onPlanDue: undefined, onTurnsEnded: undefined });
    await rows(
      "UPDATE state.pmo_batches SET status = 'success', ended_at = now() WHERE project_id = $1 AND plan_run_id = $2",
      [plan_run_id],
    );
    let go = () => {};
    const blocked = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached = () => {};
    const atCheck = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow = {
      ...kernel,
      probe: async (point: string) => {
        if (point !== "plan-edit-checked") return;
        reached();
        await blocked;
      },
    };
    const editing = editPlanRun(slow, {
      project_id: P,
      plan_run_id,
      body_rev: 1,
      ops: [set("b", "/instruction", "in time")],
      reason: "",
      by: "ann",
    });
    await atCheck;
    const starting = advancePlan(kernel, { project_id: P, plan_run_id });
    go();
    await Promise.all([editing, starting]);
    expect(await statuses(plan_run_id)).toMatchObject({ b: "running" });
    expect(await instructionOf(plan_run_id, "b")).toBe("in time");
  });
});

test("a node that was taken away and comes back under its id never starts a try twice", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }], hold: true })]));
  await edit(plan_run_id, [{ op: "remove_node", node: "b" }]);
  await edit(plan_run_id, [add("b", { after: [{ node: "a" }] })], { body_rev: 2 });
  expect((await nodesOf(plan_run_id)).b).toMatchObject({ status: "waiting", headcodes: ["1P03"] });
  await endWagon(plan_run_id, "a");
  expect(await statuses(plan_run_id)).toEqual({ a: "success", b: "running" });
});
