// What a box can be compared with: found around turns that ran, were forked and run again.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BoxPartners } from "@/server/contract/box-partners";
import { forkPlanRun } from "@/server/kernel/launch/fork-plan-run";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { rerunTurn } from "@/server/kernel/launch/rerun-turn";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { createBoxes } from "../cardbox/create-boxes";
import { withUnit } from "../unit";
import { readPartners } from "./read-partners";

const P = "partners";
let kernel: TestKernel;
let worker: Worker;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  const tasks = ["one", "two", "three"].map((instruction) => ({
    ...{ target_strategy: "new", target_ref: "Leaf", instruction },
  }));
  await seedProject(kernel, P, [
    scripted("Boss", [{ call: "fork_join", arguments: { tasks } }, { deliver: "joined" }], {
      allowed_internal_tools: ["fork_join"],
      delegation_policy: { target_tags: [], target_profiles: ["Leaf"] },
    }),
    scripted("Leaf", [{ call: "think", arguments: { thought: "I plan." } }, { deliver: "did it" }], {
      allowed_internal_tools: ["think"],
    }),
  ]);
  await seedProject(kernel, "neighbour");
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

const partnersOf = (box_id: string, project_id = P) => readPartners(kernel, { project_id, box_id });
const told = ({ partners }: BoxPartners) =>
  partners.map(({ why, total, boxes }) => [
    why,
    total,
    boxes.map(({ kind, ordinal }) => `${kind} ${ordinal ?? ""}`.trim()),
  ]);

async function stepsOf(agent_turn_id: string): Promise<string[]> {
  const { rows } = await kernel.db.pool.query<{ request_box_id: string }>(
    "SELECT request_box_id FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY ordinal",
    [P, agent_turn_id],
  );
  return rows.map(({ request_box_id }) => request_box_id);
}

test("of a branch of a fork: its caller and its siblings, by step for a request and by box for a context", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  await untilTurn(kernel, P, agent_turn_id);
  const { rows } = await kernel.db.pool.query<{ agent_turn_id: string; context_box_id: string; output_box_id: string }>(
    "SELECT agent_turn_id, context_box_id, output_box_id FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY task_index",
    [P, agent_turn_id],
  );
  const [branch] = rows;
  if (!branch) throw new Error("three branches were forked");
  const context = await partnersOf(branch.context_box_id);
  expect(told(context)).toEqual([
    ["caller", 1, ["request 1"]],
    ["sibling", 2, ["context", "context"]],
  ]);
  expect(context.box).toMatchObject({ kind: "context", turn: { agent_turn_id: branch.agent_turn_id } });
  expect(context.partners[1]?.boxes.map(({ turn }) => turn?.agent_turn_id)).toEqual(
    rows.slice(1).map((row) => row.agent_turn_id),
  );
  const [, second] = await stepsOf(branch.agent_turn_id);
  expect(told(await partnersOf(second ?? ""))).toEqual([
    ["caller", 1, ["request 1"]],
    ["previous_step", 1, ["request 1"]],
    ["sibling", 2, ["request 2", "request 2"]],
  ]);
  // What it wrote is first compared with what others wrote.
  expect(told(await partnersOf(branch.output_box_id))).toEqual([
    ["sibling", 2, ["output", "output"]],
    ["caller", 1, ["request 1"]],
  ]);
});

test("of a turn that was run again and forked, from both ends, and the turn before it of the same agent", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  const again = await rerunTurn(kernel, { project_id: P, agent_turn_id, user: "ann", overrides: {} });
  await untilTurn(kernel, P, again.agent_turn_id);
  const fork = await forkTurn(kernel, { project_id: P, agent_turn_id, user: "ann", at_step: 2, drop: [], replace: [] });
  await untilTurn(kernel, P, fork.agent_turn_id);
  const whys = async (box_id: string) => told(await partnersOf(box_id)).filter(([why]) => why !== "caller");
  const [first, second] = await stepsOf(agent_turn_id);
  expect(await whys(turn.context_box_id)).toEqual([
    ["fork", 1, ["context"]],
    ["rerun", 1, ["context"]],
  ]);
  expect(await whys(first ?? "")).toEqual([["rerun", 1, ["request 1"]]]);
  // The fork began at step 2: its first request stands where the second of the original stood.
  expect(await whys(second ?? "")).toEqual([
    ["previous_step", 1, ["request 1"]],
    ["fork", 1, ["request 1"]],
    ["rerun", 1, ["request 2"]],
  ]);
  const [forked] = await stepsOf(fork.agent_turn_id);
  expect(await whys(forked ?? "")).toEqual([["forked_from", 1, ["request 2"]]]);
  // Of what was written, the same work another time comes before all else.
  const written = (await partnersOf(turn.output_box_id ?? "")).partners.map(({ why }) => why);
  expect(written).toEqual(["rerun", "fork", "caller"]);
  const [repeated] = await stepsOf(again.agent_turn_id);
  expect(await whys(repeated ?? "")).toEqual([["rerun_of", 1, ["request 1"]]]);

  const reused = await launchTurn(kernel, P, { target: turn.agent_id, strategy: "reuse" });
  const next = await untilTurn(kernel, P, reused.agent_turn_id);
  const previous = (await partnersOf(next.context_box_id)).partners.find(({ why }) => why === "previous_turn");
  expect(previous?.boxes).toMatchObject([{ box_id: turn.context_box_id, turn: { agent_turn_id } }]);
});

test("of a step of a plan: the same step in another run of it, for what it wrote before all else", async () => {
  const { launchPlan, runOf } = plansOf(() => kernel, P);
  const turnAt = async (plan_run_id: string) => {
    for (const end = Date.now() + 20_000; (await runOf(plan_run_id)).status === "running" && Date.now() < end; )
      await new Promise((done) => setTimeout(done, 50));
    const { rows } = await kernel.db.pool.query<{
      agent_turn_id: string;
      output_box_id: string;
      context_box_id: string;
    }>(
      `SELECT t.agent_turn_id, t.output_box_id, t.context_box_id FROM state.agent_turns t
       JOIN state.pmo_batches b ON b.project_id = t.project_id AND b.batch_id = t.batch_id
       WHERE t.project_id = $1 AND b.plan_run_id = $2 AND b.plan_node_id = 'x'`,
      [P, plan_run_id],
    );
    if (!rows[0]) throw new Error("the step has no turn");
    return rows[0];
  };
  const first = await launchPlan(planBody([wagon("x", { target: { ref: "Leaf" } })]));
  const before = await turnAt(first.plan_run_id);
  const { result } = await forkPlanRun(kernel, {
    ...{ project_id: P, plan_run_id: first.plan_run_id, force: [], user: "ann" },
    ops: [{ op: "set", node: "x", path: "/instruction", value: "Do it in another way" }],
  });
  if (!("plan_run_id" in result)) throw new Error("a plan was launched");
  const after = await turnAt(result.plan_run_id);
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const [output, context] = [await partnersOf(one.output_box_id), await partnersOf(one.context_box_id)];
    expect(output.partners[0]).toMatchObject({
      ...{ why: "same_step", total: 1 },
      boxes: [{ box_id: other.output_box_id, turn: { agent_turn_id: other.agent_turn_id } }],
    });
    expect(context.partners.at(-1)).toMatchObject({ why: "same_step", boxes: [{ box_id: other.context_box_id }] });
  }
});

test("a box without a turn has no partners, two statements find them, and another project's box is not found", async () => {
  const [plain] = await withUnit(kernel, (unit) =>
    createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", items: [] }] }),
  );
  expect((await partnersOf(plain?.box_id ?? "")).partners).toEqual([]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf" });
  await untilTurn(kernel, P, agent_turn_id);
  const { context_box_id: box_id } = await turnOf(kernel, P, agent_turn_id);
  expect(await countStatements(kernel, (counting) => readPartners(counting, { project_id: P, box_id }))).toBe(2);
  await expect(partnersOf(box_id, "neighbour")).rejects.toMatchObject({ code: "not_found" });
  await expect(partnersOf("nowhere")).rejects.toMatchObject({ message: "box nowhere not found" });
});
