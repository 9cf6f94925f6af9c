// What a fork writes: the same number of statements for one task and for sixty-four, tasks in their order, each with its own
// trace, and nothing for the parent to read until the batch ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { type Branch, forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { lockCaller } from "../delegation/caller";
import type { Kernel } from "../kernel";
import { launch } from "../launch/launch";
import { readAgent } from "../roster/read-agents";
import { tunables } from "../tunables";
import { isFenced } from "../turns/fenced";
import { stopTurns } from "../turns/stop-turns";
import { withUnit } from "../unit";
import { fork } from "./fork";
import { forkIn } from "./fork-in";
import { parseFork } from "./parse-fork";

let kernel: TestKernel;
const P = "fork_in";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const forks = forksOf(() => kernel, P);
const hands = (n: number) => Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));

describe("the number of statements does not grow", () => {
  test("of a fork of 1, 8 and 64 tasks", async () => {
    const counts: number[] = [];
    for (const n of [1, 8, 64]) {
      const boss = await running("Boss");
      await withUnit(kernel, async (unit) => {
        const caller = await lockCaller(unit, P, boss, "fork_join");
        if (isFenced(caller)) throw new Error("the caller was fenced");
        const before = unit.statements();
        const input = parseFork(tunables, { tasks: hands(n) });
        await forkIn(unit, { project_id: P, caller, tool: "fork_join", input, tool_call_id: `tc_counted_${n}` });
        counts.push(unit.statements() - before);
      });
    }
    expect(counts).toEqual([counts[0], counts[0], counts[0]]);
    expect(counts[0]).toBe(8);
  });
  test("with agents that are used again and cloned, with boxes handed over, and as a whole call", async () => {
    const counts: number[] = [];
    for (const n of [2, 16]) {
      const boss = await running("Boss");
      const others: Running[] = [];
      for (let i = 0; i < n; i++) others.push(await running("Hand"));
      const tasks = others.map((other, i) => ({
        target_strategy: i % 2 === 0 ? "reuse" : "clone",
        target_ref: other.agent_id,
        instruction: "again",
        context_box_id: boss.turn.context_box_id,
      }));
      const caller = { ...boss, tool_call_id: `tc_mixed_${n}` };
      counts.push(
        await countStatements(kernel, (counting) =>
          fork(counting, { project_id: P, caller, tool: "fork_join", args: { tasks } }),
        ),
      );
    }
    expect(counts[0]).toBe(counts[1]);
  });
  test("of ending 1 turn and 16", async () => {
    const counts: number[] = [];
    for (const n of [1, 16]) {
      const boss = await running("Boss");
      const { tasks } = await forks.fork(boss, { tasks: hands(n) });
      await withUnit(kernel, async (unit) => {
        const ended = await stopTurns(unit, {
          project_id: P,
          agent_turn_ids: tasks.flatMap((task) => task.agent_turn_id ?? []),
          status: "canceled",
          error_code: "stopped",
          error: "counted",
          note: "counted",
        });
        expect(ended).toHaveLength(n);
        counts.push(unit.statements());
      });
    }
    expect(counts[0]).toBe(counts[1]);
  });
});

describe("67 the order of the tasks", () => {
  test("matches their index, their label and the order of the answer", async () => {
    const boss = await running("Boss");
    const made = await forks.fork(boss, { tasks: hands(12) });
    expect(made.tasks.map((task) => task.task_index)).toEqual([...Array(12).keys()]);
    const rows = await forks.tasks(made.batch_id);
    expect(rows.map((row) => [row.task_index, row.metadata.title])).toEqual(
      [...Array(12).keys()].map((i) => [i, `part ${i}`]),
    );
    expect(rows.map((row) => row.agent_id)).toEqual(made.tasks.map((task) => task.agent_id));
  });
  test("every branch is created as dispatched and has its turn", async () => {
    const made = await forks.fork(await running("Boss"), { tasks: hands(3) });
    for (const task of made.tasks) {
      expect(task.status).toBe("dispatched");
      expect(await turnOf(kernel, P, task.agent_turn_id ?? "")).toMatchObject({
        status: "dispatched",
        batch_id: made.batch_id,
        task_index: task.task_index,
        batch_task_id: task.batch_task_id,
      });
    }
  });
  test("with max_parallel the first ones are dispatched, the others wait without a turn", async () => {
    const made = await forks.fork(await running("Boss"), { tasks: hands(5), max_parallel: 2 });
    expect(made.tasks.map((task) => task.status)).toEqual([
      "dispatched",
      "dispatched",
      "pending",
      "pending",
      "pending",
    ]);
    expect(made.tasks.slice(2).every((task) => !("agent_turn_id" in task))).toBe(true);
  });
});

test("71 the parent is suspended, and its call has no result, until the batch ends", async () => {
  const boss = await forks.sleeping("Boss", 2);
  const results = () =>
    forks.rows(
      "SELECT 1 FROM cards WHERE tenant_id = $1 AND tool_call_id = $2 AND metadata ->> 'type' = 'tool.result'",
      [boss.fork.tool_call_id],
    );
  const [first, second] = boss.fork.tasks;
  await forks.end(await forks.start(first));
  expect([await results(), await forks.resultRows(boss.fork.tool_call_id)]).toEqual([[], []]);
  expect((await readAgent(kernel, { project_id: P, agent_id: boss.agent_id })).head).toMatchObject({
    status: "suspended",
    waiting_tool_count: 1,
  });
  await forks.end(await forks.start(second));
  expect(await results()).toHaveLength(1);
});

test("181 each branch has its own trace, linked to its parent's; an expert stays within its parent's", async () => {
  const boss = await running("Boss");
  const made = await forks.fork(boss, { tasks: hands(3) });
  const traceOf = async (task: Branch | undefined) => (await turnOf(kernel, P, task?.agent_turn_id ?? "")).trace_id;
  const traces = await Promise.all(made.tasks.map(traceOf));
  expect(new Set([...traces, boss.turn.trace_id]).size).toBe(4);
  for (const [i, row] of (await forks.tasks(made.batch_id)).entries()) {
    expect(row.metadata).toMatchObject({
      child_trace_id: traces[i],
      parent_trace_id: boss.turn.trace_id,
      dispatch_channel_id: "public",
    });
    expect(row.metadata.parent_traceparent).toMatch(new RegExp(`^00-${boss.turn.trace_id}-[0-9a-f]{16}-01$`));
  }
  const asked = await forks.fork(boss, { expert_profile: "Hand", question: "why?" }, "ask_expert");
  expect(await traceOf(asked.tasks[0])).toBe(boss.turn.trace_id);
});

describe("deadlines", () => {
  const withDefault = (batchDeadlineMs: number): Kernel => ({ ...kernel, tunables: { ...tunables, batchDeadlineMs } });
  const forkWith = async (by: Kernel, id: string, more: object) => {
    const boss = await running("Boss");
    const made = await fork(by, {
      project_id: P,
      caller: { ...boss, tool_call_id: id },
      tool: "fork_join",
      args: { tasks: hands(1), ...more },
    });
    if (isFenced(made)) throw new Error("the caller was fenced");
    return made;
  };
  test("63 the call's own, otherwise the service's, otherwise none", async () => {
    const inSeconds = async (batch_id: string) => {
      const { deadline_at, created_at } = await forks.batch(batch_id);
      return deadline_at === null ? null : (Date.parse(deadline_at) - Date.parse(created_at)) / 1000;
    };
    expect(await inSeconds((await forkWith(kernel, "tc_d1", { deadline_seconds: "42" })).batch_id)).toBe(42);
    expect(await inSeconds((await forkWith(kernel, "tc_d2", { deadline_seconds: null })).batch_id)).toBe(900);
    const none = await forkWith(withDefault(0), "tc_d3", {});
    expect([none.deadline, await inSeconds(none.batch_id)]).toEqual([undefined, null]);
  });
});

describe("K9 the same call again", () => {
  test("is the same batch, and writes nothing", async () => {
    const boss = await running("Boss");
    const caller = { ...boss, tool_call_id: "tc_twice" };
    const call = () => fork(kernel, { project_id: P, caller, tool: "fork_join", args: { tasks: hands(2) } });
    const first = await call();
    const before = await countRows(kernel);
    expect(await call()).toEqual(first);
    expect(await countRows(kernel)).toEqual(before);
  });
  test("and twice at once", async () => {
    const boss = await running("Boss");
    const caller = { ...boss, tool_call_id: "tc_at_once" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => fork(kernel, { project_id: P, caller, tool: "fork_join", args: { tasks: hands(2) } })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(
      await forks.rows("SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2", [
        boss.agent_turn_id,
      ]),
    ).toHaveLength(2);
  });
  test("a fork that fails in the middle leaves nothing behind", async () => {
    const boss = await running("Boss");
    const before = await countRows(kernel);
    for (const point of ["fork-before-batch", "after-enqueue", "before-commit"]) {
      kernel.probe = (at) => {
        if (at === point) throw new Error(`cut at ${point}`);
      };
      await expect(forks.fork(boss, { tasks: hands(3) })).rejects.toThrow(`cut at ${point}`);
    }
    expect(await countRows(kernel)).toEqual(before);
  });
});

test("a person's fork: no wait, no head involved, and its turn is suspended until the join", async () => {
  const fork = await launch(kernel, { project_id: P, tool: "fork_join", user: "ann", args: { tasks: hands(2) } });
  expect(fork.result).toMatchObject({ status: "suspended", task_count: 2 });
  expect(await turnOf(kernel, P, fork.agent_turn_id)).toMatchObject({ status: "suspended", primitive: "ui_action" });
  expect(
    await forks.rows("SELECT 1 FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2", [
      fork.agent_turn_id,
    ]),
  ).toEqual([]);
});
