// A fork that is the only call of its step ends the step and suspends its caller in the transaction that makes the batch.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { turnOf } from "@/server/testing/turns";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { fork } from "./fork";
import { hasSlept } from "./has-slept";

let kernel: TestKernel;
const P = "fork_sleep";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Hand" }]);
  await seedProject(kernel, "fork_sleep_other", [{ name: "Boss" }]);
});
beforeEach(() => {
  kernel.probe = undefined;
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const forks = forksOf(() => kernel, P);
const hands = (n: number) => Array.from({ length: n }, (_, i) => toNew("Hand", { instruction: `part ${i}` }));

async function stepOf(boss: Running): Promise<string> {
  const request = { card_ids: [], system: "", tools: [], bytes: Buffer.from("{}"), tokens: 1, tools_tokens: 0 };
  const begun = await beginStep(kernel, { ...boss, request, note: "thinking" });
  if (isFenced(begun)) throw new Error("the step was fenced");
  return begun.step_id;
}

const sleeping = (boss: Running, tool_call_id: string, tasks: object[], step_id: string) =>
  fork(kernel, {
    project_id: P,
    caller: { ...boss, step_id, tool_call_id },
    tool: "fork_join",
    args: { tasks },
    sleep: {
      step: { step_id, cards: [], usage: { input_tokens: 7 }, tool_call_ids: [tool_call_id], note: "fork_join" },
    },
  });

const stepRow = async (step_id: string) =>
  (
    await forks.rows<{ status: string; xmin: string }>(
      "SELECT status, xmin FROM state.agent_steps WHERE project_id = $1 AND step_id = $2",
      [step_id],
    )
  )[0];
const turnXmin = async ({ agent_turn_id }: Running) =>
  (
    await forks.rows<{ xmin: string }>(
      "SELECT xmin FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
      [agent_turn_id],
    )
  )[0]?.xmin;
const batchXmin = async (batch_id: string) =>
  (
    await forks.rows<{ xmin: string }>("SELECT xmin FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2", [
      batch_id,
    ])
  )[0]?.xmin;

test("batch, step and turn are written by one transaction, and the turn waits for the call", async () => {
  const boss = await running("Boss");
  const step_id = await stepOf(boss);
  const made = await sleeping(boss, "tc_asleep", hands(3), step_id);
  if (isFenced(made)) throw new Error("the fork was fenced");
  expect(made.slept).toMatchObject({ status: "suspended", waiting: ["tc_asleep"], results: [] });
  expect(made.tasks).toHaveLength(3);
  const step = await stepRow(step_id);
  expect(step?.status).toBe("completed");
  expect([await turnXmin(boss), step?.xmin]).toEqual([await batchXmin(made.batch_id), await batchXmin(made.batch_id)]);
  const turn = await turnOf(kernel, P, boss.agent_turn_id);
  expect([turn.status, turn.lease_holder, turn.turn_epoch, turn.tokens_in]).toEqual([
    "suspended",
    null,
    boss.turn_epoch,
    7,
  ]);
});

test("who waits for another call as well sleeps until both are answered; what has come meanwhile is read", async () => {
  const boss = await running("Boss");
  for (const [tool_call_id, wait_status] of [
    ["tc_open", "waiting"],
    ["tc_over", "applied"],
  ])
    await kernel.db.pool.query(
      `INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, tool_name, wait_status)
       VALUES ($1, $2, $3, $4, $5, 'look_up', $6)`,
      [P, boss.agent_id, boss.agent_turn_id, boss.turn_epoch, `${tool_call_id}_${boss.agent_turn_id}`, wait_status],
    );
  const both = await sleeping(boss, "tc_both", hands(1), await stepOf(boss));
  if (isFenced(both)) throw new Error("the fork was fenced");
  expect(both.slept).toMatchObject({ status: "suspended", waiting: [`tc_open_${boss.agent_turn_id}`, "tc_both"] });
  expect((await turnOf(kernel, P, boss.agent_turn_id)).note).toBe("waits for look_up, fork_join");
});

test("it sleeps until the deadline of its wait, and not past it", async () => {
  const boss = await running("Boss");
  const step_id = await stepOf(boss);
  const made = await fork(kernel, {
    project_id: P,
    caller: { ...boss, step_id, tool_call_id: "tc_until" },
    tool: "fork_join",
    args: { tasks: hands(1), deadline_seconds: 60 },
    sleep: { step: { step_id, cards: [], tool_call_ids: ["tc_until"] } },
  });
  if (isFenced(made)) throw new Error("the fork was fenced");
  const [wait] = await forks.rows<{ deadline_at: string }>(
    "SELECT deadline_at FROM state.turn_waiting_tools WHERE project_id = $1 AND tool_call_id = $2",
    ["tc_until"],
  );
  expect(made.slept).toMatchObject({ status: "suspended", deadline: wait?.deadline_at, waiting: ["tc_until"] });
  expect((await turnOf(kernel, P, boss.agent_turn_id)).note).toBe("waits for fork_join");
});

test("refused, or cut anywhere, it leaves the step open, the turn running and nothing written", async () => {
  const boss = await running("Boss");
  const step_id = await stepOf(boss);
  const before = await countRows(kernel);
  await expect(sleeping(boss, "tc_refused", [toNew("Nobody", { instruction: "x" })], step_id)).rejects.toThrow(
    "Nobody",
  );
  for (const point of ["fork-before-batch", "after-enqueue", "before-commit"]) {
    kernel.probe = (at) => {
      if (at === point) throw new Error(`cut at ${point}`);
    };
    await expect(sleeping(boss, "tc_refused", hands(2), step_id)).rejects.toThrow(`cut at ${point}`);
  }
  expect(await countRows(kernel)).toEqual(before);
  expect((await stepRow(step_id))?.status).toBe("started");
  expect((await turnOf(kernel, P, boss.agent_turn_id)).status).toBe("running");
});

test("whether it was written is found by its call and its lease, in its own project", async () => {
  const boss = await running("Boss");
  const step_id = await stepOf(boss);
  const call = {
    project_id: P,
    agent_turn_id: boss.agent_turn_id,
    turn_epoch: boss.turn_epoch,
    tool_call_id: "tc_lost",
  };
  expect(await hasSlept(kernel, call)).toBe(false);
  await sleeping(boss, "tc_lost", hands(1), step_id);
  expect(await hasSlept(kernel, call)).toBe(true);
  expect(await hasSlept(kernel, { ...call, turn_epoch: boss.turn_epoch + 1 })).toBe(false);
  expect(await hasSlept(kernel, { ...call, tool_call_id: "tc_other" })).toBe(false);
  expect(await hasSlept(kernel, { ...call, project_id: "fork_sleep_other" })).toBe(false);
});

test("under an old lease nothing is written, and the step stays open", async () => {
  const boss = await running("Boss");
  const step_id = await stepOf(boss);
  const late = await sleeping({ ...boss, turn_epoch: boss.turn_epoch - 1 }, "tc_late", hands(1), step_id);
  expect(late).toMatchObject({ fenced: true });
  expect((await stepRow(step_id))?.status).toBe("started");
});
