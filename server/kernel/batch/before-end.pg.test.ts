// The last branches of a batch end with it, in one transaction, and never wait for it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf, joinIn, type Sleeping, takerInto } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import type { Kernel } from "../kernel";
import { sweepBatches } from "../reclaim/sweep-batches";
import { deliverTurns } from "../turns/deliver-turn";
import { isFenced } from "../turns/fenced";

let kernel: TestKernel;
const P = "joinable";
let units: string[][] = [];
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
});
beforeEach(() => {
  units = [];
  kernel.probe = (point, statements) => {
    if (point === "before-commit") units.push([...statements]);
  };
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const { sleeping, start, end, batch, fork, sleep, rows, resultRows, resumeBy } = forksOf(() => kernel, P);
const hands = (n: number, more: object = {}) =>
  Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}`, ...more }));
const started = (boss: Pick<Sleeping, "fork">) => Promise.all(boss.fork.tasks.map(start));
const endAll = (turns: Running[]) =>
  deliverTurns(
    kernel,
    turns.map((turn) => ({ ...turn, status: "success", content: { kind: "text", text: "done" } })),
  );
const statusOf = async (boss: Pick<Sleeping, "fork">) => (await batch(boss.fork.batch_id)).status;
/** Of the units that ended turns: whether they ended a batch too. */
const joins = () => units.filter((names) => names.includes("turns_end")).map((names) => names.includes("batch_end"));
const joined = async (boss: Sleeping) => joinIn(await resumeBy(boss, boss.fork.tool_call_id));

/** Another transaction holds these rows until it is told to let go. */
async function holding(sql: string, id: string): Promise<() => Promise<void>> {
  const client = await kernel.test.pool.connect();
  await client.query("BEGIN");
  await client.query(sql, [P, id]);
  return async () => {
    await client.query("ROLLBACK");
    client.release();
  };
}

test("all branches at once, or the last of them: one transaction ends them and the batch", async () => {
  const boss = await sleeping("Boss", hands(3));
  const [first, ...others] = await started(boss);
  if (!first) throw new Error("a fork has no branches");
  await endAll([first]);
  await endAll(others);
  expect(joins()).toEqual([false, true]);
  const [at] = await rows<{ batch: string; turns: string[] }>(
    `SELECT b.xmin::text AS batch, array_agg(t.xmin::text) AS turns FROM state.pmo_batches b
     JOIN state.agent_turns t ON t.project_id = $1 AND t.batch_id = b.batch_id
     WHERE b.project_id = $1 AND b.batch_id = $2 AND t.agent_turn_id <> $3 GROUP BY b.xmin`,
    [boss.fork.batch_id, first.agent_turn_id],
  );
  expect(at?.turns).toEqual([at?.batch, at?.batch]);
  const { status, results } = await joined(boss);
  expect([status, results.map((result) => result.summary)]).toEqual(["success", ["done", "done", "done"]]);
});

test("its only branch may fail: the caller reads why", async () => {
  const boss = await sleeping("Boss", hands(1));
  const [branch] = await started(boss);
  if (!branch) throw new Error("a fork has no branches");
  await end(branch, "failed", null, "no answer");
  expect(joins()).toEqual([true]);
  expect(await joined(boss)).toMatchObject({ status: "failed", results: [{ status: "failed", error: "no answer" }] });
});

describe("nobody is waited for", () => {
  test.each([
    ["the batch", "SELECT 1 FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2 FOR UPDATE", "batch_id"],
    [
      "the caller",
      "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 FOR UPDATE",
      "agent_turn_id",
    ],
    [
      "the caller's agent",
      "SELECT 1 FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2 FOR NO KEY UPDATE",
      "agent_id",
    ],
    [
      "the caller's output box",
      `SELECT 1 FROM card_boxes WHERE tenant_id = $1
       AND box_id = (SELECT output_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2) FOR UPDATE`,
      "agent_turn_id",
    ],
  ] as const)("somebody holds %s: the branch ends, and the batch when it is let go", async (_what, sql, of) => {
    const boss = await sleeping("Boss", hands(1));
    const [branch] = await started(boss);
    if (!branch) throw new Error("a fork has no branches");
    const letGo = await holding(sql, of === "batch_id" ? boss.fork.batch_id : boss[of]);
    const ending = end(branch);
    await expect.poll(async () => (await turnOf(kernel, P, branch.agent_turn_id)).status).toBe("success");
    await letGo();
    expect(isFenced(await ending)).toBe(false);
    expect(joins()).toEqual([false]);
    expect((await joined(boss)).status).toBe("success");
  });
});

test.each(["settle-locked", "batch-before-end"])(
  "a join that fails at %s costs the branch nothing: it ends, and the batch after it",
  async (point) => {
    const boss = await sleeping("Boss", hands(2));
    const branches = await started(boss);
    const seen = kernel.probe;
    let cuts = 0;
    kernel.probe = async (at, statements) => {
      if (at === point && statements.includes("turns_end") && cuts++ === 0) throw new Error(`cut at ${point}`);
      await seen?.(at, statements);
    };
    const [first, last] = await endAll(branches);
    expect([cuts, first && isFenced(first), last && isFenced(last), joins()]).toEqual([1, false, false, [false]]);
    expect((await joined(boss)).status).toBe("success");
    expect(await resultRows(boss.fork.tool_call_id)).toHaveLength(1);
  },
);

test("a branch with attempts left keeps the batch open", async () => {
  const boss = await sleeping("Boss", hands(1, { attempts: 2 }));
  const [branch] = await started(boss);
  if (!branch) throw new Error("a fork has no branches");
  await end(branch, "failed", null, "no answer");
  expect([joins(), await statusOf(boss)]).toEqual([[false], "running"]);
});

test("a branch that is held back keeps the batch open, and begins", async () => {
  const boss = await sleeping("Boss", hands(2), { max_parallel: 1 });
  const branch = await start(boss.fork.tasks[0]);
  await end(branch);
  expect([joins(), await statusOf(boss)]).toEqual([[false], "running"]);
  const [next] = await rows<{ agent_turn_id: string; agent_id: string }>(
    "SELECT agent_turn_id, agent_id FROM state.pmo_batch_tasks WHERE project_id = $1 AND batch_id = $2 AND status = 'dispatched'",
    [boss.fork.batch_id],
  );
  await end(await start(next));
  expect([joins(), await statusOf(boss)]).toEqual([[false, true], "success"]);
});

test("the branches of several batches at once: all of them are joined, one in the transaction of the ends and the others after it", async () => {
  const bosses = [await sleeping("Boss", hands(2)), await sleeping("Boss", hands(2)), await sleeping("Boss", hands(2))];
  await endAll((await Promise.all(bosses.map(started))).flat());
  expect(joins()).toEqual([true]);
  for (const boss of bosses) expect((await joined(boss)).status).toBe("success");
});

test("of two batches that one turn waits for, each is joined with its branch, and it goes on with the second", async () => {
  const boss = await running("Boss");
  const [one, other] = [await fork(boss, { tasks: hands(1) }), await fork(boss, { tasks: hands(1) })];
  await sleep(boss, [one.tool_call_id, other.tool_call_id]);
  for (const made of [one, other]) await endAll(await started({ fork: made }));
  expect(joins()).toEqual([true, true]);
  expect((await resumeBy(boss, one.tool_call_id)).status).toBe("suspended");
  expect((await resumeBy(boss, other.tool_call_id)).status).toBe("running");
});

test("a branch that was taken over is refused, and nothing is joined with the others", async () => {
  const boss = await sleeping("Boss", hands(2));
  const [good, lost] = await started(boss);
  if (!good || !lost) throw new Error("two branches were to run");
  const answers = await endAll([good, { ...lost, turn_epoch: lost.turn_epoch - 1 }]);
  expect(answers.map(isFenced)).toEqual([false, true]);
  expect([joins(), await statusOf(boss)]).toEqual([[false], "running"]);
  await endAll([lost]);
  expect((await joined(boss)).status).toBe("success");
});

test("a caller that has ended is not woken: the batch ended with it, and late branches are fenced", async () => {
  const boss = await running("Boss");
  const made = await fork(boss, { tasks: hands(1) });
  const branches = await started({ fork: made });
  await end(boss);
  expect((await endAll(branches)).map(isFenced)).toEqual([true]);
  expect(await batch(made.batch_id)).toMatchObject({ status: "canceled" });
});

/** Of a worker that takes the caller on, with commits that are sent with the last statement: nothing is probed. */
const takingOn = (taken: string[]): Kernel => ({ ...kernel, probe: undefined, taker: takerInto(taken) });

test("the callers go on in the worker that ended the last branches, once each, from the transaction that ends their batches", async () => {
  const taken: string[] = [];
  const bosses = [await sleeping("Boss", hands(3)), await sleeping("Boss", hands(2))];
  const turns = (await Promise.all(bosses.map(started))).flat();
  const inputs = turns.map((turn) => ({
    ...turn,
    status: "success" as const,
    content: { kind: "text" as const, text: "done" },
  }));
  await deliverTurns(takingOn(taken), inputs);
  expect(taken.toSorted()).toEqual(bosses.map((boss) => boss.agent_turn_id).toSorted());
  for (const boss of bosses)
    expect(await turnOf(kernel, P, boss.agent_turn_id)).toMatchObject({
      ...{ status: "running", turn_epoch: boss.turn_epoch + 1, lease_holder: "taker", output_cards: 1 },
    });
});

test("a join that waits for a lock too long is left, and the branch ends without it", async () => {
  const taken: string[] = [];
  const boss = await sleeping("Boss", hands(1));
  const [branch] = await started(boss);
  if (!branch) throw new Error("a fork has no branches");
  const letGo = await holding(
    "SELECT 1 FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2 FOR UPDATE",
    boss.agent_turn_id,
  );
  const ending = deliverTurns({ ...takingOn(taken), lockMs: 300 }, [
    { ...branch, status: "success", content: { kind: "text", text: "done" } },
  ]);
  await expect.poll(async () => (await turnOf(kernel, P, branch.agent_turn_id)).status).toBe("success");
  await letGo();
  expect((await ending).map(isFenced)).toEqual([false]);
  await sweepBatches(kernel);
  expect(await statusOf(boss)).toBe("success");
});

test("nothing is locked for an end that waits for more: its own batch is open", async () => {
  const boss = await sleeping("Boss", hands(1));
  const [branch] = await started(boss);
  if (!branch) throw new Error("a fork has no branches");
  await fork(branch, { tasks: hands(1) });
  let areLocked: boolean | undefined;
  const probe = async (point: string) => {
    if (point !== "before-end" || areLocked !== undefined) return;
    const { rows } = await kernel.test.pool.query(
      "SELECT 1 FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2 FOR UPDATE SKIP LOCKED",
      [P, boss.fork.batch_id],
    );
    areLocked = rows.length === 0;
  };
  await deliverTurns({ ...kernel, probe }, [{ ...branch, status: "success", content: { kind: "text", text: "done" } }]);
  expect([areLocked, await statusOf(boss)]).toEqual([false, "success"]);
});
