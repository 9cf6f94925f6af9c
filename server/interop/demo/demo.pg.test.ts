import { afterAll, beforeAll, expect, test } from "vitest";
import { createKernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { checkPlan } from "@/server/kernel/plan/check-plan";
import { releaseNode } from "@/server/kernel/plan/decide-node";
import { parseBody } from "@/server/kernel/plan/parse-body";
import { listPlanRuns, readPlanRun } from "@/server/kernel/plan/read-plan-runs";
import { readPlanVersion } from "@/server/kernel/plan/read-plans";
import { listPlanLines } from "@/server/kernel/read-models/list-plan-lines";
import { readDemoRun } from "@/server/kernel/read-models/read-demo-run";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { listProfiles } from "@/server/kernel/roster/list-profiles";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { readProfile } from "@/server/kernel/roster/read-profile";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deliverableOf, framesOf, inNoTime, startTestWorker } from "@/server/testing/turns";
import { ensureDemo } from "./ensure-demo";
import { removeDemo } from "./remove-demo";
import { DEMO_PROJECT, startDemoRun } from "./start-demo-run";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

const runsOf = async () => (await framesOf(kernel, DEMO_PROJECT, "run")).length;

test("an empty database gets the demo once, from whichever process comes first", async () => {
  const made = await Promise.all([ensureDemo(kernel), ensureDemo(kernel), ensureDemo(kernel)]);
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await ensureDemo(kernel)).toBe(false);
  const [demo, ...others] = await listProjects(kernel);
  expect(others).toEqual([]);
  expect(demo).toMatchObject({
    project_id: "demo",
    is_demo: true,
    run_count: 1,
    title: "Demo: a scripted research run",
  });
  expect(await framesOf(kernel, DEMO_PROJECT, "run")).toMatchObject([{ source: "demo" }]);
});

test("its profiles load without a warning", async () => {
  const profiles = await listProfiles(kernel, DEMO_PROJECT);
  expect(profiles.map((profile) => profile.name)).toEqual([
    "Demo_Expert",
    "Demo_Planner",
    "Demo_Reader",
    "Demo_Searcher",
  ]);
  for (const { name } of profiles)
    expect((await readProfile(kernel, { project_id: DEMO_PROJECT, name })).warnings).toEqual([]);
});

test("its plans are there once, and could be launched as they are", async () => {
  const { items } = await listPlanLines(kernel, { project_id: DEMO_PROJECT, archived: false });
  expect(items).toMatchObject([
    { name: "Demo_second_look", head_version: 1, node_count: 3, runs: [] },
    { name: "Demo_sourced_brief", head_version: 1, node_count: 5, runs: [] },
    { name: "Demo_triage", head_version: 1, node_count: 4, runs: [] },
  ]);
  for (const { name } of items) {
    const { body, layout } = await readPlanVersion(kernel, { project_id: DEMO_PROJECT, name });
    const plan = parseBody({ ...body, layout });
    const { problems } = await checkPlan(kernel, { project_id: DEMO_PROJECT, plan, as: { user: "ann" }, inputs: {} });
    expect(problems.filter(({ code }) => code !== "no_worker")).toEqual([]);
  }
});

test("it runs to its end: everybody delivers but the one who is to fail", async () => {
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  const turns = async () =>
    (
      await kernel.db.pool.query<TurnRow>(
        "SELECT * FROM state.agent_turns WHERE project_id = 'demo' ORDER BY created_at",
      )
    ).rows;
  await expect
    .poll(async () => (await turns()).map((turn) => turn.status).sort(), { timeout: 20_000 })
    .toEqual(["failed", ...Array.from({ length: 10 }, () => "success")]);
  await worker.stop();
  const all = await turns();
  expect(all.map((turn) => turn.headcode).sort()).toEqual(
    ["0H01", "1P01", "2E01", "2E02", "2E03", "2S01", "2S02", "2S03", "2S04", "2S05", "3R01"].sort(),
  );
  const [asked, first, second] = all.filter((turn) => turn.profile_name === "Demo_Expert");
  expect(asked).toMatchObject({ primitive: "ask_expert" });
  expect(await framesOf(kernel, DEMO_PROJECT, "batch")).toContainEqual(
    expect.objectContaining({ tool_name: "fork_join", task_count: 5, status: "partial" }),
  );
  expect(second).toMatchObject({
    agent_id: first?.agent_id,
    output_box_id: first?.output_box_id,
    target_strategy: "reuse",
  });
  for (const turn of all.filter((one) => one.depth > 0))
    expect(JSON.stringify(await deliverableOf(kernel, turn))).toMatch(/scripted/i);
}, 40_000);

test("it can be run again, and a profile that somebody changed is kept", async () => {
  const before = await readProfile(kernel, { project_id: DEMO_PROJECT, name: "Demo_Planner" });
  await startDemoRun(kernel);
  expect(await runsOf()).toBe(2);
  expect((await readProfile(kernel, { project_id: DEMO_PROJECT, name: "Demo_Planner" })).rev).toBe(before.rev);
});

test("its plan runs, and its last step waits for a person", async () => {
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  await launch(kernel, {
    project_id: DEMO_PROJECT,
    tool: "launch_plan",
    user: "ann",
    args: { plan: "Demo_second_look" },
  });
  const newest = async () => (await listPlanRuns(kernel, { project_id: DEMO_PROJECT }))[0]?.plan_run_id ?? "";
  const statuses = async () =>
    (await readPlanRun(kernel, { project_id: DEMO_PROJECT, plan_run_id: await newest() })).nodes.map(
      ({ status }) => status,
    );
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(["success", "success", "held"]);
  await releaseNode(kernel, { project_id: DEMO_PROJECT, plan_run_id: await newest(), node_id: "review", by: "ann" });
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(["success", "success", "success"]);
  await worker.stop();
}, 50_000);

test.each([
  ["Demo_sourced_brief", "check", ["success", "success", "success", "success", "held"]],
  ["Demo_triage", "second-opinion", ["success", "success", "held", "skipped"]],
])(
  "%s runs, and %s waits for a person",
  async (plan, held, expected) => {
    const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
    await launch(kernel, { project_id: DEMO_PROJECT, tool: "launch_plan", user: "ann", args: { plan } });
    const [{ plan_run_id } = { plan_run_id: "" }] = await listPlanRuns(kernel, { project_id: DEMO_PROJECT });
    const run = () => readPlanRun(kernel, { project_id: DEMO_PROJECT, plan_run_id });
    const statuses = async () => (await run()).nodes.map(({ status }) => status);
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(expected);
    await releaseNode(kernel, { project_id: DEMO_PROJECT, plan_run_id, node_id: held, by: "ann" });
    await expect.poll(async () => (await run()).status, { timeout: 20_000 }).toBe("success");
    await worker.stop();
  },
  50_000,
);

test("its run is told from the newer ones that people launched, and from none where it is gone", async () => {
  const runs = await framesOf(kernel, DEMO_PROJECT, "run");
  expect(runs.map(({ source }) => source)).toEqual(["demo", "demo", "launch", "launch", "launch"]);
  expect(await readDemoRun(kernel, DEMO_PROJECT)).toBe(runs[1]?.root_turn_id);
});

test("removed, it stays away until it is asked for", async () => {
  await removeDemo(kernel);
  expect(await readDemoRun(kernel, DEMO_PROJECT)).toBeNull();
  expect(await listProjects(kernel)).toEqual([]);
  expect(await ensureDemo(kernel)).toBe(false);
  await expect(removeDemo(kernel)).rejects.toMatchObject({ code: "not_found" });
  await startDemoRun(kernel);
  expect(await listProjects(kernel)).toMatchObject([{ project_id: "demo", is_demo: true, run_count: 1 }]);
  // Windows that were open when it was removed see it return.
  const [gone, back] = (await framesOf(kernel, DEMO_PROJECT, "project")).map((frame) => [frame.is_deleted, frame.rev]);
  expect(gone?.[0]).toBe(true);
  expect(back?.[0]).toBe(false);
  expect(Number(back?.[1])).toBeGreaterThan(Number(gone?.[1]));
  await removeDemo(kernel);
});

test("who has projects gets none, and a project of somebody's own is not taken for it", async () => {
  const other = await openTestKernel();
  await seedProject(other, "mine");
  expect(await ensureDemo(createKernel(other))).toBe(false);
  await seedProject(other, "demo");
  await expect(startDemoRun(other)).rejects.toMatchObject({ code: "conflict" });
  await expect(removeDemo(other)).rejects.toMatchObject({ code: "not_found" });
  await deleteProject(other, "demo");
  await other.close();
});
