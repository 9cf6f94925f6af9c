// A plan run in the places where it was drawn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { scripted, startTestWorker } from "@/server/testing/turns";
import { readRunDrawing } from "./read-run-drawing";
import { readTurnDifference } from "./read-turn-difference";

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

test("of a gate with a policy it is told who arrived in which order, and who was late", async () => {
  await seedProject(kernel, "gated", [
    scripted("Quick", [{ deliver: "done" }]),
    scripted("Slow", [{ think: "on it", wait_ms: 2_000 }, { deliver: "late" }]),
  ]);
  const task = (id: string, ref: string) => ({ id, target: { ref }, instruction: id });
  const policy = { kind: "quorum", k: 1, late: "run" };
  const tasks = [task("slow", "Slow"), task("quick", "Quick")];
  const body = planBody([{ id: "both", kind: "fork", tasks, gate: { fail_fast: false, policy } }]);
  const { root_turn_id } = await ok("POST", "/projects/gated/pmo/launch_plan:call", { args: { body } });
  const gatesOf = async () => (await readRunDrawing(kernel, { project_id: "gated", root_turn_id })).gates;
  expect(await gatesOf()).toMatchObject([{ node_id: "both", arrivals: [], late: [] }]);
  const worker = await startTestWorker(kernel);
  try {
    await expect
      .poll(gatesOf, { timeout: 20_000 })
      .toMatchObject([{ node_id: "both", arrivals: ["both.quick"], late: ["both.slow"] }]);
  } finally {
    await worker.stop();
  }
});

test("a run that no plan made is not found here", async () => {
  const { root_turn_id } = await ok("POST", `/projects/${P}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Plain", instruction: "Alone" },
  });
  await expect(readRunDrawing(kernel, { project_id: P, root_turn_id })).rejects.toMatchObject({ code: "not_found" });
});

test("a fork tells whose results it takes and where it comes from; two turns of one place tell what differs first", async () => {
  const { root_turn_id, result } = await ok("POST", `/projects/${P}/pmo/launch_plan:call`, {
    args: { body: planBody([wagon("first"), { ...wagon("last"), load: [{ from: "first" }] }]) },
  });
  const worker = await startTestWorker(kernel);
  const ended = async (root: string) =>
    expect
      .poll(async () => (await readRunDrawing(kernel, { project_id: P, root_turn_id: root })).run.status, {
        timeout: 20_000,
      })
      .toBe("success");
  try {
    await ended(root_turn_id);
    const fork = await ok("POST", `/projects/${P}/plan-runs/${result.plan_run_id}:fork`, {
      ops: [{ op: "set", node: "last", path: "/instruction", value: "Something else" }],
    });
    await ok("POST", `/projects/${P}/pmo/delegate_async:call`, {
      args: { target_strategy: "new", target_ref: "Plain", instruction: "Added" },
      into: fork.root_turn_id,
    });
    await ended(fork.root_turn_id);
    const [was, now] = [
      await readRunDrawing(kernel, { project_id: P, root_turn_id }),
      await readRunDrawing(kernel, { project_id: P, root_turn_id: fork.root_turn_id }),
    ];
    expect(was.forks).toMatchObject([{ root_turn_id: fork.root_turn_id, run_number: now.run_number }]);
    expect(now.source).toMatchObject({ root_turn_id, run_number: was.run_number });
    expect(was.source).toBeUndefined();
    const at = (drawing: typeof was, place: string) => drawing.turns.find((turn) => turn.place === place);
    expect(at(now, "first")).toMatchObject({
      agent_turn_id: at(was, "first")?.agent_turn_id,
      as_in_run: was.run_number,
    });
    expect(at(now, "last")?.as_in_run).toBeUndefined();
    // A person added it: nobody of the drawing called it.
    expect(now.added).toMatchObject([{ name: "Plain" }]);
    expect(now.added[0]).not.toHaveProperty("caller_turn_id");
    expect(was.added).toEqual([]);

    const [a, b] = [at(was, "last")?.agent_turn_id ?? "", at(now, "last")?.agent_turn_id ?? ""];
    const difference = await readTurnDifference(kernel, { project_id: P, a, b });
    expect(difference.context).toMatchObject({ b: { type: "task.instruction", text: "Something else" } });
    expect(difference.deliverable.b?.text).toContain("Something else");
    expect((await readTurnDifference(kernel, { project_id: P, a, b: a })).context).toBeUndefined();
    await expect(readTurnDifference(kernel, { project_id: "elsewhere", a, b })).rejects.toMatchObject({
      code: "not_found",
    });
  } finally {
    await worker.stop();
  }
});
