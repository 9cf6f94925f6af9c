// The yard's first picture of a run with a plan: the run of the plan and all its nodes, also those that have not started.
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyPicture, fold } from "@/server/contract/frame";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { parseCursor } from "../journal/cursor";
import { tailJournal } from "../journal/tail-journal";
import { readSnapshot } from "./read-snapshot";

let kernel: TestKernel;
const project_id = "planned";
const { launchPlan, endWagon } = plansOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "other", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

test("a run's snapshot holds its plan and every node, and frames after it lead to the same picture", async () => {
  const start = await readSnapshot(kernel, { project_id, root_turn_id: "all" });
  const body = planBody(
    [
      wagon("a"),
      wagon("b", { after: [{ node: "a" }], hold: true }),
      wagon("c", { after: [{ node: "a", on: "failed" }] }),
    ],
    { inputs: [{ name: "what", kind: "text" }] },
  );
  const run = await launchPlan(body, { inputs: { what: "words that only the launch was given" } });
  const { plan_run_id, root_turn_id } = run;
  const early = fold(emptyPicture(), (await readSnapshot(kernel, { project_id, root_turn_id })).frames);
  expect(early.plan_run.get(plan_run_id)).toMatchObject({ name: "Test", status: "running", body_rev: 1, root_turn_id });
  expect([...early.plan_node.values()].map(({ node_id, status }) => [node_id, status])).toEqual([
    ["a", "running"],
    ["b", "waiting"],
    ["c", "waiting"],
  ]);
  expect(early.plan_node.get(`${plan_run_id}.b`)?.headcodes).toHaveLength(1);
  expect(JSON.stringify([...early.plan_run.values()])).not.toContain("only the launch");

  await endWagon(plan_run_id, "a");
  const late = fold(emptyPicture(), (await readSnapshot(kernel, { project_id, root_turn_id })).frames);
  expect(late.plan_node.get(`${plan_run_id}.b`)).toMatchObject({ status: "held", request_id: expect.any(String) });
  expect(late.plan_node.get(`${plan_run_id}.c`)).toMatchObject({ status: "skipped", reason: expect.any(String) });
  await untilVisible(kernel);
  const tail = await tailJournal(kernel, { project_id, after: parseCursor(project_id, start.cursor) });
  const grown = fold(
    fold(emptyPicture(), start.frames),
    tail.frames.map((tracked) => tracked.frame),
  );
  expect(late.plan_node.size).toBe(3);
  for (const [id, node] of late.plan_node) expect(grown.plan_node.get(id)).toEqual(node);
  for (const [id, one] of late.plan_run) expect(grown.plan_run.get(id)).toEqual(one);
});

test("a snapshot of another run or project holds nothing of the plan", async () => {
  const run = await launchPlan(planBody([wagon("a")]));
  const next = await launchPlan(planBody([wagon("a")]));
  const ids = async (project: string, root_turn_id: string) =>
    (await readSnapshot(kernel, { project_id: project, root_turn_id })).frames.flatMap((frame) =>
      frame.kind === "plan_run" || frame.kind === "plan_node" ? frame.plan_run_id : [],
    );
  expect(new Set(await ids(project_id, next.root_turn_id))).toEqual(new Set([next.plan_run_id]));
  expect(await ids("other", run.root_turn_id)).toEqual([]);
});
