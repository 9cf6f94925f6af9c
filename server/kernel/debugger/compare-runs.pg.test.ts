// Two runs that the built-in worker ran: launched twice, forked, started again, and as plans; and two imported logs.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { RunComparison as Answer } from "@/server/contract/answers/run-comparison";
import type { PlanOpInput } from "@/server/contract/plan/op";
import type { RunComparison } from "@/server/contract/run-compare/run-comparison";
import { importRun } from "@/server/interop/importers/import-run";
import { forkPlanRun } from "@/server/kernel/launch/fork-plan-run";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { rerunTurn } from "@/server/kernel/launch/rerun-turn";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { sharedFiles } from "@/server/testing/shared-data";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { reportResult } from "../inbox/report-result";
import { saveTool } from "../roster/save-tool";
import type { TurnRow } from "../turns/turn-row";
import { compareRuns } from "./compare-runs";

const P = "compared";
let kernel: TestKernel;
let worker: Worker;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 50 } });
  const tasks = ["one", "two"].map((instruction) => ({ target_strategy: "new", target_ref: "Leaf", instruction }));
  await seedProject(kernel, P, [
    scripted("Boss", [{ think: "I plan." }, { call: "fork_join", arguments: { tasks } }, { deliver: "joined" }], {
      allowed_internal_tools: ["think", "fork_join"],
      delegation_policy: { target_tags: [], target_profiles: ["Leaf"] },
    }),
    scripted("Leaf", [{ think: "hm" }, { call: "look_up" }, { deliver: "found {result.1}" }], {
      allowed_tools: ["look_up"],
    }),
    scripted("Plain", [{ deliver: "did {instruction}" }]),
    scripted(
      "Packer",
      [
        { think: "Somebody reviews it." },
        { call: "ask_expert", arguments: { expert_profile: "Plain", question: "Look at this" } },
        {
          call: "delegate_async",
          arguments: {
            ...{ target_strategy: "new", target_ref: "Plain", instruction: "Review it" },
            context_box_id: "{result.1.output_box_id}",
            context_pack: {
              ...{ goal: "Find what is missing.", definition_of_done: ["Every claim has a source."] },
              from_boxes: ["{result.1.output_box_id}"],
            },
          },
        },
        { deliver: "handed on: {result.2}" },
      ],
      {
        allowed_internal_tools: ["think", "ask_expert", "delegate_async"],
        delegation_policy: { target_tags: [], target_profiles: ["Plain"] },
      },
    ),
  ]);
  await seedProject(kernel, "elsewhere");
  await saveTool(kernel, { project_id: P, tool: { tool_name: "look_up", options: { timeout_ms: 60_000 } } });
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});
const { ok, refused } = restOf(() => kernel);

const compare = (a: string, b: string, more = {}, project_id = P): Promise<RunComparison> =>
  compareRuns(kernel, { project_id, a, b, from: 0, limit: 1_000, ...more });
const told = ({ rows }: RunComparison) =>
  rows.map(({ verdict, a, b, depth, aligned_by }) =>
    `${depth} ${verdict} ${a?.headcode ?? "-"} ${b?.headcode ?? "-"} ${aligned_by ?? ""}`.trim(),
  );

/** Answers each call in the order of the tasks. */
async function bossWith(answers: string[]): Promise<TurnRow> {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  const calls = await until(async () => {
    const { rows } = await kernel.db.pool.query<{ tool_call_id: string }>(
      `SELECT w.tool_call_id FROM state.turn_waiting_tools w JOIN state.agent_turns t USING (project_id, agent_turn_id)
       WHERE w.project_id = $1 AND w.tool_name = 'look_up' AND w.wait_status = 'waiting'
         AND t.root_turn_id = (SELECT root_turn_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2) ORDER BY t.task_index`,
      [P, agent_turn_id],
    );
    return rows.length === answers.length ? rows : undefined;
  });
  for (const [i, { tool_call_id }] of calls.entries())
    await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: answers[i] ?? "" });
  return untilTurn(kernel, P, agent_turn_id);
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((done) => setTimeout(done, 30))) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error("the calls did not come");
}

describe("the same task launched twice", () => {
  test("nothing differs but ids, which are in every call, result and join", async () => {
    const [one, other] = [await bossWith(["41", "42"]), await bossWith(["41", "42"])];
    const found = await compare(one.root_turn_id, other.root_turn_id);
    expect(told(found)).toEqual([
      "0 same 0H01 0H01 place",
      "1 same 1B01 1B01 place",
      "2 same 2L01 2L01 place",
      "2 same 2L02 2L02 place",
    ]);
    expect(found).not.toHaveProperty("parts");
    expect(found.verdicts).toEqual({ same: 4, changed: 0, only_a: 0, only_b: 0 });
    expect(found.by_figures).toBe(0);
    expect(Answer.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  test("with a context pack: its id, its hash and its times are those of the run, and no difference", async () => {
    const roots: string[] = [];
    for (const _ of [1, 2]) {
      const { agent_turn_id } = await launchTurn(kernel, P, { target: "Packer" });
      const { root_turn_id } = await untilTurn(kernel, P, agent_turn_id);
      roots.push(root_turn_id);
      await until(async () => {
        const { rows } = await kernel.db.pool.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND status = 'success'",
          [P, root_turn_id],
        );
        return rows[0]?.n === 4 ? true : undefined;
      });
    }
    const found = await compare(roots[0] ?? "", roots[1] ?? "");
    expect(found.rows.map(({ parts }) => parts?.says).filter(Boolean)).toEqual([]);
    expect(found.verdicts).toEqual({ same: 4, changed: 0, only_a: 0, only_b: 0 });
  });

  test("one tool answers differently: the turn, its step and the tool are named, and the caller parts later", async () => {
    const [one, other] = [await bossWith(["41", "42"]), await bossWith(["41", "43"])];
    const found = await compare(one.root_turn_id, other.root_turn_id);
    expect(told(found).slice(1)).toEqual([
      "1 changed 1B01 1B01 place",
      "2 same 2L01 2L01 place",
      "2 changed 2L02 2L02 place",
    ]);
    expect(found.parts).toMatchObject({
      ...{ kind: "tool_answer", tool_name: "look_up", says: "they part at 2L02, step 2: look_up answered differently" },
      a: { headcode: "2L02", step: 2, step_id: expect.any(String), card_id: expect.any(String) },
    });
    expect(found.rows[1]?.parts).toMatchObject({ kind: "tool_answer", tool_name: "fork_join" });
    expect(found.rows[3]?.delta).toMatchObject({ tokens: expect.any(Number), duration_ms: expect.any(Number) });
    const turned = await compare(other.root_turn_id, one.root_turn_id);
    expect(turned.parts?.says).toBe(found.parts?.says);
    expect(turned.rows[3]?.delta?.tokens).toBe(0 - (found.rows[3]?.delta?.tokens ?? 0));
  });

  test("a run against itself is the same, and another task is another instruction", async () => {
    const [one, other] = await Promise.all(
      ["begin", "go on"].map((instruction) => launchTurn(kernel, P, { target: "Plain", instruction })),
    );
    const [a, b] = [
      await untilTurn(kernel, P, one?.agent_turn_id ?? ""),
      await untilTurn(kernel, P, other?.agent_turn_id ?? ""),
    ];
    expect((await compare(a.root_turn_id, a.root_turn_id)).verdicts).toEqual({
      same: 2,
      changed: 0,
      only_a: 0,
      only_b: 0,
    });
    const found = await compare(a.root_turn_id, b.root_turn_id);
    expect(found.parts).toMatchObject({
      kind: "instruction",
      says: "they part at 1P01, step 1: the instruction differs",
    });
    expect(found.rows.map(({ verdict }) => verdict)).toEqual(["changed", "changed"]);
  });
});

describe("started again", () => {
  test("a rerun stands against its original, at whatever depth, and only that part of the run is there", async () => {
    const boss = await bossWith(["41", "42"]);
    const { rows } = await kernel.db.pool.query<{ agent_turn_id: string }>(
      "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND headcode = '2L02'",
      [P, boss.root_turn_id],
    );
    const again = await rerunTurn(kernel, {
      project_id: P,
      agent_turn_id: rows[0]?.agent_turn_id ?? "",
      user: "ann",
      overrides: {},
    });
    await untilTurn(kernel, P, again.agent_turn_id, "suspended");
    const found = await compare(boss.root_turn_id, again.root_turn_id);
    expect(told(found).slice(1)).toEqual(["1 only_a 1B01 -", "2 only_a 2L01 -", "2 changed 2L02 1L01 rerun_of"]);
    expect(found.rows.at(-1)?.parts).toMatchObject({ kind: "status", a: { step: 2 }, b: { step: 2 } });
    const { rows: calls } = await kernel.db.pool.query<{ tool_call_id: string }>(
      "SELECT tool_call_id FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2",
      [P, again.agent_turn_id],
    );
    await reportResult(kernel, {
      project_id: P,
      tool_call_id: calls[0]?.tool_call_id ?? "",
      status: "success",
      result: "42",
    });
    await untilTurn(kernel, P, again.agent_turn_id);
    expect((await compare(boss.root_turn_id, again.root_turn_id)).rows.at(-1)).toMatchObject({ verdict: "same" });
  });

  test("a fork parts at the step that it continues, where a person changed a result", async () => {
    const boss = await bossWith(["41", "42"]);
    const { rows } = await kernel.db.pool.query<TurnRow>(
      "SELECT * FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND headcode = '2L02'",
      [P, boss.root_turn_id],
    );
    const [leaf] = rows;
    if (!leaf) throw new Error("the second branch is missing");
    const result = (await outputOf(kernel, leaf)).find(({ content }) => JSON.stringify(content).includes('"42"'));
    const replace = [
      {
        card_id: result?.card_id ?? "",
        with: { kind: "tool_result" as const, status: "success" as const, result: "7" },
      },
    ];
    const fork = await forkTurn(kernel, {
      project_id: P,
      agent_turn_id: leaf.agent_turn_id,
      user: "ann",
      at_step: 3,
      replace,
      drop: [],
    });
    await untilTurn(kernel, P, fork.agent_turn_id);
    const found = await compare(boss.root_turn_id, fork.root_turn_id);
    expect(told(found).at(-1)).toBe("2 changed 2L02 1L01 forked_from");
    expect(found.parts).toEqual(found.rows.at(-1)?.parts);
    expect(found.rows.at(-1)?.parts).toMatchObject({
      kind: "edited",
      says: expect.stringContaining("a person changed what was sent"),
    });
    const plain = await forkTurn(kernel, {
      project_id: P,
      agent_turn_id: leaf.agent_turn_id,
      user: "ann",
      at_step: 3,
      replace: [],
      drop: [],
    });
    await untilTurn(kernel, P, plain.agent_turn_id);
    expect((await compare(boss.root_turn_id, plain.root_turn_id)).rows.at(-1)).toMatchObject({ verdict: "same" });
    const both = await compare(fork.root_turn_id, plain.root_turn_id);
    expect(told(both).at(-1)).toBe("1 changed 1L01 1L01 forked_from");
  });
});

describe("plans", () => {
  const { launchPlan, statuses, runOf } = plansOf(() => kernel, P);
  const ended = (plan_run_id: string) =>
    until(async () => ((await runOf(plan_run_id)).status === "running" ? undefined : statuses(plan_run_id)));

  test("by step: a result that was taken over is one turn, and what ran again is changed", async () => {
    const run = await launchPlan(
      planBody([
        wagon("x"),
        wagon("y", { after: [{ node: "x", on: "delivered" }] }),
        wagon("z", { after: [{ node: "y", on: "delivered" }] }),
      ]),
    );
    await ended(run.plan_run_id);
    const ops: PlanOpInput[] = [{ op: "set", node: "z", path: "/instruction", value: "Do it in another way" }];
    const { result, root_turn_id } = await forkPlanRun(kernel, {
      ...{ project_id: P, plan_run_id: run.plan_run_id, ops, force: [], user: "ann" },
    });
    if (!("plan_run_id" in result)) throw new Error("a plan was launched");
    expect(await ended(result.plan_run_id)).toMatchObject({ x: "replayed", z: "success" });
    const found = await compare(run.root_turn_id, root_turn_id);
    expect(told(found).slice(1)).toEqual([
      "1 same 1P01 1P01 turn",
      "1 same 1P02 1P02 turn",
      "1 changed 1P03 1P01 node",
    ]);
    expect(found.rows[1]?.b?.as_in_run).toBe(found.a.number);
    expect(found.parts).toMatchObject({ kind: "instruction", a: { headcode: "1P03" } });
    expect(found.b.figures.turns).toBe(2);
  });

  test("another plan's steps of the same name are not the same step", async () => {
    const one = await launchPlan(planBody([wagon("x"), wagon("y")]));
    const other = await launchPlan(
      planBody([wagon("y", { instruction: "Do x" }), wagon("x", { instruction: "Do y" })]),
    );
    for (const { plan_run_id } of [one, other]) await ended(plan_run_id);
    const by = (await compare(one.root_turn_id, other.root_turn_id)).rows.map(({ aligned_by }) => aligned_by);
    expect(by).toEqual(["place", "place", "place"]);
  });
});

describe("over REST and for the browser", () => {
  test("the same answer, one verdict, a page", async () => {
    const [one, other] = [await bossWith(["41", "42"]), await bossWith(["41", "43"])];
    const path = `/projects/${P}/runs/${one.root_turn_id}/compare/${other.root_turn_id}`;
    const found = await ok("GET", path);
    expect(found).toMatchObject({ rows_total: 4, from: 0, verdicts: { same: 2, changed: 2 } });
    const changed = await ok("GET", `${path}?verdict=changed&from=1&limit=1`);
    expect(changed).toMatchObject({ rows_total: 2, from: 1, rows: [{ at: 3, below: 1, a: { headcode: "2L02" } }] });
    const caller = createCaller({ kernel, user: "ann" });
    expect(await caller.debugger.compare({ project_id: P, a: one.root_turn_id, b: other.root_turn_id })).toEqual(found);
  });

  test("an unknown run and one of another project look alike", async () => {
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Plain" });
    const { root_turn_id } = await untilTurn(kernel, P, agent_turn_id);
    for (const path of [
      `/projects/${P}/runs/${root_turn_id}/compare/nothing`,
      `/projects/${P}/runs/nothing/compare/${root_turn_id}`,
      `/projects/elsewhere/runs/${root_turn_id}/compare/${root_turn_id}`,
    ])
      expect(await refused("GET", path), path).toMatchObject({ status: 404, error_code: "not_found" });
    const { error_message } = await refused(
      "GET",
      `/projects/${P}/runs/${root_turn_id}/compare/${root_turn_id}?verdict=gone`,
    );
    expect(error_message).toMatch(/^query.verdict: expected/);
  });

  test("statements do not grow with the runs", async () => {
    const small = await launchTurn(kernel, P, { target: "Plain" });
    const [few, many] = [await untilTurn(kernel, P, small.agent_turn_id), await bossWith(["1", "2"])];
    const other = await bossWith(["1", "3"]);
    const count = (a: TurnRow, b: TurnRow) =>
      countStatements(kernel, (counting) =>
        compareRuns(counting, { project_id: P, a: a.root_turn_id, b: b.root_turn_id, from: 0, limit: 200 }),
      );
    expect(await count(many, other)).toBe(9);
    expect(await count(few, other)).toBe(9);
  });
});

const logs = sharedFiles("who-and-when", ".json").slice(0, 3);
describe.skipIf(logs.length < 3)("imported logs", () => {
  test("two of them: every turn is in one row, each pair has a verdict, and they part somewhere", async () => {
    await seedProject(kernel, "logs");
    const roots: string[] = [];
    for (const { name, path } of logs) {
      const bytes = fs.readFileSync(path);
      const run = await importRun(kernel, { project_id: "logs", format: "who-and-when", bytes, name });
      roots.push(run.root_turn_id);
    }
    for (const [a, b] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const found = await compare(roots[a] ?? "", roots[b] ?? "", {}, "logs");
      expect(found.rows.filter((row) => row.a)).toHaveLength(found.a.total);
      expect(found.rows.filter((row) => row.b)).toHaveLength(found.b.total);
      expect(found.parts?.says).toMatch(/^they part at /);
      expect(found.by_figures).toBe(0);
      // Such a log has neither times nor what its models used: nothing is claimed of them.
      for (const { figures } of [found.a, found.b]) {
        expect(figures).not.toHaveProperty("duration_ms");
        expect(figures).not.toHaveProperty("tokens_in");
      }
      expect(found.rows.filter(({ delta }) => delta?.duration_ms !== undefined)).toEqual([]);
      Answer.parse(found);
    }
  });
});
