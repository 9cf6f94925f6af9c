// A whole run again: a delegation, a fork with its gate, and a plan; each with fresh agents that are given the same cards.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ForkResult } from "@/server/contract/batch";
import { importRun } from "@/server/interop/importers/import-run";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { readBoxCards } from "../cardbox/read-box-cards";
import { eraseCard } from "../deletion/erase-card";
import { setRunLimits } from "../turns/set-run-limits";
import { launch } from "./launch";
import { rerunRun } from "./rerun-run";
import { rerunTurn } from "./rerun-turn";

let kernel: TestKernel;
const P = "again";
const forks = forksOf(() => kernel, P);
const plans = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Other" }]);
  await seedProject(kernel, "again_elsewhere", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const again = (root_turn_id: string) => rerunRun(kernel, { project_id: P, root_turn_id, user: "bob" });
const task = (n: number, more: object = {}) => ({
  target_strategy: "new",
  target_ref: n % 2 === 0 ? "Other" : "Plain",
  instruction: `part ${n}`,
  ...more,
});
const launchFork = async (args: object): Promise<{ root_turn_id: string; fork: ForkResult }> => {
  const { result, root_turn_id } = await launch(kernel, { project_id: P, tool: "fork_join", user: "ann", args });
  if (!("tasks" in result)) throw new Error("a fork was launched");
  return { root_turn_id, fork: result };
};
const given = async (box_id: string | null) => {
  const { cards } = await readBoxCards(kernel, { project_id: P, box_id: box_id ?? "", limit: 200 });
  return cards.map(({ card_id, origin }) => [card_id, origin]);
};
const batchOf = async (root_turn_id: string) => {
  const [row] = await forks.rows<{ batch_id: string }>(
    "SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND root_turn_id = $2",
    [root_turn_id],
  );
  return forks.batch(row?.batch_id ?? "");
};
const turnsIn = (root_turn_id: string) =>
  forks.rows<{ title: string; status: string }>(
    "SELECT title, status FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human ORDER BY title",
    [root_turn_id],
  );

describe("a fork", () => {
  test("starts as many at once, with the same gate and time, and each branch has the same cards in the same places", async () => {
    const { root_turn_id, fork } = await launchFork({
      tasks: [task(1), task(2, { attempts: 2 }), task(3)],
      policy: { kind: "quorum", k: 2 },
      max_parallel: 2,
      deadline_seconds: 900,
      fail_fast: false,
    });
    for (const branch of fork.tasks.slice(0, 2)) await forks.end(await forks.start(branch));
    const made = await again(root_turn_id);
    expect(made.root_turn_id).not.toBe(root_turn_id);
    const [before, after] = [await forks.batch(fork.batch_id), await batchOf(made.root_turn_id)];
    expect(after).toMatchObject({
      status: "running",
      tool_name: "fork_join",
      task_count: 3,
      max_parallel: 2,
      policy: before.policy,
    });
    expect(Date.parse(after.deadline_at ?? "") - Date.parse(after.created_at)).toBe(900_000);
    const [old, fresh] = [await forks.tasks(before.batch_id), await forks.tasks(after.batch_id)];
    expect(fresh.map(({ status }) => status)).toEqual(["dispatched", "dispatched", "pending"]);
    expect(fresh.map(({ attempts_max }) => attempts_max)).toEqual([1, 2, 1]);
    expect(fresh.map(({ metadata }) => [metadata.title, metadata.profile_name])).toEqual([
      ["part 1", "Plain"],
      ["part 2", "Other"],
      ["part 3", "Plain"],
    ]);
    for (const [i, branch] of fresh.entries()) {
      expect(branch.agent_id).not.toBe(old[i]?.agent_id);
      expect(branch.context_box_id).not.toBe(old[i]?.context_box_id);
      expect(await given(branch.context_box_id)).toEqual(await given(old[i]?.context_box_id ?? null));
    }
    const root = await turnOf(kernel, P, made.root_turn_id);
    expect(root).toMatchObject({ agent_id: "human_bob", status: "suspended", title: "Fork of 3" });
    // It is joined like the first one: the third starts when one of the two has delivered, and the gate closes at two.
    for (const branch of fresh.slice(0, 2))
      await forks.end(await forks.start({ ...branch, agent_turn_id: branch.agent_turn_id ?? "" }));
    expect((await turnOf(kernel, P, made.root_turn_id)).status).not.toBe("suspended");
  });

  test("an agent that was used again is a fresh one with what the old one remembered", async () => {
    const first = await launchFork({ tasks: [task(1)] });
    const [branch] = first.fork.tasks;
    await forks.end(await forks.start(branch), "success", "learned");
    const second = await launchFork({
      tasks: [{ target_strategy: "reuse", target_ref: branch?.agent_id, instruction: "go on" }],
    });
    await forks.end(await forks.start(second.fork.tasks[0]));
    const made = await again(second.root_turn_id);
    const [fresh] = await forks.tasks((await batchOf(made.root_turn_id)).batch_id);
    expect(fresh?.agent_id).not.toBe(branch?.agent_id);
    const [old] = await forks.tasks(second.fork.batch_id);
    const context = await given(old?.context_box_id ?? null);
    const now = await given(fresh?.context_box_id ?? null);
    expect(now.slice(-context.length)).toEqual(context);
    expect(now.length).toBeGreaterThan(context.length);
  });

  test("the number of statements is the same for two tasks and for sixty-four", async () => {
    const few = await launchFork({ tasks: [task(1), task(2)] });
    const many = await launchFork({ tasks: Array.from({ length: 64 }, (_, i) => task(i)) });
    const counts = [];
    for (const { root_turn_id } of [few, many]) {
      counts.push(
        await countStatements(kernel, (counting) => rerunRun(counting, { project_id: P, root_turn_id, user: "bob" })),
      );
    }
    expect(counts[1]).toBe(counts[0]);
  });
});

test("a question to an expert is asked again", async () => {
  const { result, root_turn_id } = await launch(kernel, {
    ...{ project_id: P, tool: "ask_expert", user: "ann" },
    args: { expert_profile: "Other", question: "How heavy is it?" },
  });
  if (!("tasks" in result)) throw new Error("an expert was asked");
  const made = await again(root_turn_id);
  expect((await batchOf(made.root_turn_id)).tool_name).toBe("ask_expert");
  expect(await turnsIn(made.root_turn_id)).toEqual([{ title: "How heavy is it?", status: "dispatched" }]);
});

test("a delegation is launched again, and so is what was itself run again", async () => {
  const { root_turn_id } = await launch(kernel, {
    ...{ project_id: P, tool: "delegate_async", user: "ann" },
    args: task(1, { instruction: "alone" }),
  });
  const once = await again(root_turn_id);
  const twice = await again(once.root_turn_id);
  expect(await turnsIn(twice.root_turn_id)).toEqual([{ title: "alone", status: "dispatched" }]);
});

test("of a plan everything runs, also what had ended", async () => {
  const body = planBody([wagon("one"), wagon("two", { after: [{ node: "one" }] })]);
  const first = await plans.launchPlan(body);
  await plans.endWagon(first.plan_run_id, "one");
  const { root_turn_id } = await again(first.root_turn_id);
  const [run] = await plans.rows<{ plan_run_id: string; forked_from: string }>(
    "SELECT plan_run_id, forked_from FROM state.plan_runs WHERE project_id = $1 AND root_turn_id = $2",
    [root_turn_id],
  );
  expect(run?.forked_from).toBe(first.plan_run_id);
  expect(await plans.statuses(run?.plan_run_id ?? "")).toEqual({ one: "running", two: "waiting" });
});

describe("limits of the run", () => {
  const limitsOf = async (root_turn_id: string) =>
    (
      await forks.rows<{ limits: object | null }>(
        "SELECT limits FROM state.runs WHERE project_id = $1 AND root_turn_id = $2",
        [root_turn_id],
      )
    )[0]?.limits;
  const limits = { turns_max: 3, cost_max: 0.5 };
  const launchLimited = async (tool: "delegate_async" | "fork_join" | "launch_plan", args: object) =>
    (await launch(kernel, { project_id: P, tool, user: "ann", limits, args })).root_turn_id;

  test.each([
    ["delegation", () => launchLimited("delegate_async", task(1))],
    ["fork", () => launchLimited("fork_join", { tasks: [task(1), task(2)] })],
    ["plan", () => launchLimited("launch_plan", { body: planBody([wagon("one")]), inputs: {} })],
  ])("a %s is run again within those that its run has now", async (_what, launched) => {
    const root_turn_id = await launched();
    expect(await limitsOf((await again(root_turn_id)).root_turn_id)).toEqual(limits);
    await setRunLimits(kernel, { project_id: P, root_turn_id, limits: { turns_max: null, cost_max: 2 } });
    const later = await again(root_turn_id);
    expect(await limitsOf(later.root_turn_id)).toEqual({ cost_max: 2 });
    await setRunLimits(kernel, { project_id: P, root_turn_id, limits: { cost_max: null } });
    expect(await limitsOf((await again(root_turn_id)).root_turn_id)).toBeNull();
  });

  test("they hold the new run too, and a turn that is run again on its own has none", async () => {
    const root_turn_id = await launchLimited("fork_join", { tasks: [task(1), task(2), task(3), task(4)] });
    const made = await again(root_turn_id);
    const held = await forks.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM state.agent_inbox i JOIN state.agent_turns t USING (project_id, agent_turn_id)
        WHERE i.project_id = $1 AND t.root_turn_id = $2 AND i.defer_reason = 'run_limit'`,
      [made.root_turn_id],
    );
    expect(held[0]?.n).toBe(1);
    const [branch] = await forks.tasks((await batchOf(made.root_turn_id)).batch_id);
    const alone = await rerunTurn(kernel, {
      ...{ project_id: P, agent_turn_id: branch?.agent_turn_id ?? "", user: "bob", overrides: {} },
    });
    expect(await limitsOf(alone.root_turn_id)).toBeNull();
  });
});

describe("what cannot be run again says why, and writes nothing", () => {
  const runs = async () =>
    (await forks.rows<{ n: number }>("SELECT run_count AS n FROM projects WHERE project_id = $1", []))[0]?.n;

  test("a run of another project, and one that is not there", async () => {
    const { root_turn_id } = await launchFork({ tasks: [task(1)] });
    const before = await runs();
    await expect(rerunRun(kernel, { project_id: "again_elsewhere", root_turn_id, user: "bob" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(again("turn_nope")).rejects.toMatchObject({ code: "not_found" });
    expect(await runs()).toBe(before);
  });

  test("a task whose instruction was erased, of a fork and of a delegation", async () => {
    const { root_turn_id, fork } = await launchFork({ tasks: [task(1), task(2)] });
    const second = await turnOf(kernel, P, fork.tasks[1]?.agent_turn_id ?? "");
    const alone = await launch(kernel, {
      ...{ project_id: P, tool: "delegate_async", user: "ann" },
      args: task(1, { instruction: "alone and erased" }),
    });
    if (!("agent_turn_id" in alone.result)) throw new Error("a delegation was launched");
    const one = await turnOf(kernel, P, alone.result.agent_turn_id);
    for (const { instruction_card_id } of [second, one])
      await eraseCard(kernel, { project_id: P, card_id: instruction_card_id ?? "", by: "human_ann", reason: "" });
    const before = await runs();
    for (const root of [root_turn_id, alone.root_turn_id])
      await expect(again(root)).rejects.toMatchObject({ code: "bad_request", message: /was deleted; launch the work/ });
    expect(await runs()).toBe(before);
    const other = { ...{ project_id: P, agent_turn_id: one.agent_turn_id, user: "bob" } };
    await expect(rerunTurn(kernel, { ...other, overrides: { instruction: "anew" } })).resolves.toMatchObject({
      title: "anew",
    });
  });

  test("a plan whose input was erased: the text is gone from its row too", async () => {
    const body = { ...planBody([wagon("one")]), inputs: [{ name: "what", kind: "text" }] };
    const root = (
      await launch(kernel, {
        ...{ project_id: P, tool: "launch_plan", user: "ann" },
        args: { body, inputs: { what: "marker of a text input" } },
      })
    ).root_turn_id;
    const read = async () =>
      (
        await kernel.db.pool.query<{ inputs: Record<string, { card_id: string; text: string }> }>(
          "SELECT inputs FROM state.plan_runs WHERE project_id = $1 AND root_turn_id = $2",
          [P, root],
        )
      ).rows[0]?.inputs.what;
    const given = await read();
    expect(given?.text).toBe("marker of a text input");
    await eraseCard(kernel, { project_id: P, card_id: given?.card_id ?? "", by: "human_ann", reason: "" });
    expect((await read())?.text).toBe("[content deleted]");
    await expect(again(root)).rejects.toMatchObject({ code: "bad_request", message: /was given as what was deleted/ });
  });

  test("a launch that only made an agent", async () => {
    const { root_turn_id } = await launch(kernel, {
      ...{ project_id: P, tool: "provision_agent", user: "ann" },
      args: { agent_id: "made_alone", profile_name: "Plain", action: "ensure" },
    });
    await expect(again(root_turn_id)).rejects.toMatchObject({ code: "bad_request", message: /launched no turn/ });
  });

  test("an imported run", async () => {
    const bytes = Buffer.from(
      JSON.stringify({
        question: "How much?",
        history: [
          { role: "human", content: "How much?" },
          { role: "Orchestrator (thought)", content: "Weigh it" },
        ],
      }),
    );
    const { root_turn_id } = await importRun(kernel, { project_id: P, bytes, format: "who-and-when", name: "a.json" });
    await expect(again(root_turn_id)).rejects.toMatchObject({ code: "bad_request", message: /was imported/ });
  });
});
