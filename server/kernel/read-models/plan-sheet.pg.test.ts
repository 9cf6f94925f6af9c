// The list of plans and one plan's page: what they ask for, their versions, and how their last runs went.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countStatements } from "@/server/testing/statements";
import { forkPlanRun } from "../launch/fork-plan-run";
import { changePlan } from "../plan/change-plan";
import { releaseNode } from "../plan/decide-node";
import { editPlanRun } from "../plan/edit-plan-run";
import { publishPlan } from "../plan/publish-plan";
import { listPlanLines } from "./list-plan-lines";
import { readPlanGraph } from "./read-plan-graph";
import { readPlanSheet } from "./read-plan-sheet";

let kernel: TestKernel;
const project_id = "sheets";
const { launchPlan, endWagon, rows } = plansOf(() => kernel, project_id);
const publish = (name: string, more: object = {}, base_version?: number, project = project_id) =>
  publishPlan(kernel, {
    project_id: project,
    user: "ann",
    message: base_version === undefined ? "first" : "next",
    base_version,
    body: planBody([wagon("a"), wagon("b", { after: [{ node: "a" }], hold: true })], { name, ...more }),
  });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "others", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

test("a plan tells how its runs went, the newest first; of another project's nothing is seen", async () => {
  await publish("Look", { inputs: [{ name: "what", kind: "text", required: false }] });
  await publish("Look", {}, undefined, "others");
  const first = await launchPlan(undefined, { plan: "Look" });
  await endWagon(first.plan_run_id, "a");
  const second = await launchPlan(undefined, { plan: "Look", version: 1 });
  const { items } = await listPlanLines(kernel, { project_id, archived: false });
  expect(items).toMatchObject([
    {
      name: "Look",
      node_count: 2,
      inputs: [{ name: "what", kind: "text", required: false }],
      runs: [
        {
          plan_run_id: second.plan_run_id,
          status: "running",
          node_count: 2,
          delivered_count: 0,
          held_count: 0,
          version: 1,
        },
        { plan_run_id: first.plan_run_id, delivered_count: 1, held_count: 1 },
      ],
    },
  ]);
});

test("the page and the note of the turn tell the same figures: without what an edit took away, with what was replayed", async () => {
  const published = {
    project_id,
    user: "ann",
    message: "",
    body: planBody([wagon("a"), wagon("b"), wagon("c", { hold: true })]),
  };
  await publishPlan(kernel, { ...published, body: { ...published.body, name: "Counted" } });
  const noteOf = async (root_turn_id: string): Promise<string> => {
    const [row] = await rows<{ note: string }>(
      "SELECT note FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
      [root_turn_id],
    );
    return row?.note ?? "";
  };
  const lineOf = async () => (await readPlanSheet(kernel, { project_id, name: "Counted" })).runs[0];
  const edited = await launchPlan(undefined, { plan: "Counted" });
  const ops = [{ op: "remove_node" as const, node: "c" }];
  await editPlanRun(kernel, { project_id, plan_run_id: edited.plan_run_id, body_rev: 1, ops, reason: "", by: "ann" });
  await endWagon(edited.plan_run_id, "a", "partial");
  await endWagon(edited.plan_run_id, "b");
  expect(await lineOf()).toMatchObject({ node_count: 2, delivered_count: 2, held_count: 0 });
  expect(await noteOf(edited.root_turn_id)).toContain("2 of 2 nodes delivered");

  const whole = await launchPlan(undefined, { plan: "Counted" });
  for (const node_id of ["a", "b"]) await endWagon(whole.plan_run_id, node_id);
  await releaseNode(kernel, { project_id, plan_run_id: whole.plan_run_id, node_id: "c", by: "ann" });
  await endWagon(whole.plan_run_id, "c");
  const again = await forkPlanRun(kernel, {
    project_id,
    plan_run_id: whole.plan_run_id,
    ops: [],
    force: ["a"],
    user: "ann",
  });
  const { result } = again;
  if (!("plan_run_id" in result)) throw new Error("a plan was launched");
  expect(await lineOf()).toMatchObject({ plan_run_id: result.plan_run_id, node_count: 3, delivered_count: 2 });
  await endWagon(result.plan_run_id, "a");
  expect(await lineOf()).toMatchObject({ node_count: 3, delivered_count: 3 });
  expect(await noteOf(again.root_turn_id)).toContain("3 of 3 nodes delivered");
});

test("one version is shown as text, with all versions beside it", async () => {
  await publish("Text");
  await publish("Text", { description: "Second" }, 1);
  const newest = await readPlanSheet(kernel, { project_id, name: "text" });
  expect(newest).toMatchObject({ name: "Text", head_version: 2, shown: { version: 2, message: "next" } });
  expect(newest.versions.map(({ version }) => version)).toEqual([2, 1]);
  expect(newest.shown.yaml).toMatch(/^switchyard: plan\/1\nname: Text\ndescription: Second\n/);
  const older = await readPlanSheet(kernel, { project_id, name: "Text", version: 1 });
  expect(older.shown.yaml).not.toContain("Second");
  await expect(readPlanSheet(kernel, { project_id, name: "Text", version: 9 })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(readPlanSheet(kernel, { project_id: "others", name: "Text" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("archived plans are listed where asked, and the list takes the same statements however many there are", async () => {
  const count = () => countStatements(kernel, (counting) => listPlanLines(counting, { project_id, archived: true }));
  const before = await count();
  for (let n = 0; n < 5; n++) await publish(`Old ${n}`);
  await changePlan(kernel, { project_id, name: "Old 1", change: { archived: true } });
  expect(await count()).toBe(before);
  const names = async (archived: boolean) =>
    (await listPlanLines(kernel, { project_id, archived })).items.map(({ name }) => name);
  expect(await names(false)).not.toContain("Old 1");
  expect(await names(true)).toContain("Old 1");
  await expect(listPlanLines(kernel, { project_id: "nowhere", archived: false })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a plan run's graph tells titles, targets and what waits for what, and no instruction; another project's is not found", async () => {
  const task = (id: string) => ({ id, target: { ref: "Plain" }, instruction: `${id}\nsecret words` });
  const run = await launchPlan(
    planBody([
      { id: "look", kind: "fork", title: "Two looks", tasks: [task("one"), task("two")] },
      wagon("early", { load: [{ from: "look.two" }] }),
      wagon("late", { after: [{ node: "look", on: "failed" }, { node: "early" }] }),
    ]),
  );
  const { plan_run_id } = run;
  const graph = await readPlanGraph(kernel, { project_id, plan_run_id });
  expect(graph).toEqual({
    plan_run_id,
    body_rev: 1,
    nodes: [
      {
        node_id: "look",
        kind: "fork",
        title: "Two looks",
        targets: ["Plain"],
        tasks: [
          { title: "one", target: "Plain" },
          { title: "two", target: "Plain" },
        ],
        berth: { col: 2, row: 0 },
        hold: false,
        disabled: false,
        waits_for: [],
      },
      {
        node_id: "early",
        kind: "wagon",
        title: "Do early",
        targets: ["Plain"],
        tasks: [],
        berth: { col: 4, row: 0 },
        hold: false,
        disabled: false,
        waits_for: [{ node_id: "look", task_index: 1, on: "delivered" }],
      },
      {
        node_id: "late",
        kind: "wagon",
        title: "Do late",
        targets: ["Plain"],
        tasks: [],
        berth: { col: 5, row: 0 },
        hold: false,
        disabled: false,
        waits_for: [
          { node_id: "look", on: "failed" },
          { node_id: "early", on: "delivered" },
        ],
      },
    ],
  });
  expect(JSON.stringify(graph)).not.toContain("secret");
  await expect(readPlanGraph(kernel, { project_id: "others", plan_run_id })).rejects.toMatchObject({
    code: "not_found",
  });
});
