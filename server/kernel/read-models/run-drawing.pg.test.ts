// A plan run in the places where it was drawn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { scripted, startTestWorker } from "@/server/testing/turns";
import { readRunDrawing } from "./read-run-drawing";

let kernel: TestKernel;
const P = "run_drawn";
const { ok } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Plain", [{ deliver: "done: {instruction}" }])]);
  await seedProject(kernel, "elsewhere");
});
afterAll(() => kernel.close());

test("each turn is told at its place, tasks by their fork; what has none stands as its node does", async () => {
  const task = (id: string) => ({ id, target: { ref: "Plain" }, instruction: `Task ${id}` });
  const body = planBody([
    wagon("first"),
    { id: "both", kind: "fork", after: [{ node: "first" }], tasks: [task("one"), task("two")] },
    { ...wagon("last"), after: [{ node: "both" }], hold: true },
  ]);
  const launched = await ok("POST", `/projects/${P}/pmo/launch_plan:call`, { args: { body } });
  const { root_turn_id } = launched;
  const before = await readRunDrawing(kernel, { project_id: P, root_turn_id });
  expect(before).toMatchObject({ run_number: 1, run: { status: "running" } });
  const worker = await startTestWorker(kernel);
  try {
    await expect
      .poll(async () => (await readRunDrawing(kernel, { project_id: P, root_turn_id })).run.nodes.at(-1)?.status, {
        timeout: 20_000,
      })
      .toBe("held");
  } finally {
    await worker.stop();
  }
  const { run, turns } = await readRunDrawing(kernel, { project_id: P, root_turn_id });
  expect(turns.map(({ place, status }) => [place, status]).sort()).toEqual([
    ["both.one", "success"],
    ["both.two", "success"],
    ["first", "success"],
  ]);
  expect(turns.every(({ context_tokens, ended_at }) => context_tokens > 0 && ended_at !== undefined)).toBe(true);
  expect(run.nodes.map(({ node_id, status }) => [node_id, status])).toEqual([
    ["first", "success"],
    ["both", "success"],
    ["last", "held"],
  ]);
  await expect(readRunDrawing(kernel, { project_id: "elsewhere", root_turn_id })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a run that no plan made is not found here", async () => {
  const { root_turn_id } = await ok("POST", `/projects/${P}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Plain", instruction: "Alone" },
  });
  await expect(readRunDrawing(kernel, { project_id: P, root_turn_id })).rejects.toMatchObject({ code: "not_found" });
});
