// The step that says what a turn delivers ends in the same transaction as the turn: closed once, with what it used and cost.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { stepsOf } from "@/server/testing/steps";
import { turnOf } from "@/server/testing/turns";
import { beginStep } from "./begin-step";
import { deliverTurn, deliverTurns } from "./deliver-turn";
import { endStep } from "./end-step";
import type { LastStep } from "./end-turns";
import { isFenced } from "./fenced";

let kernel: TestKernel;
const P = "last-step";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Hand" }]);
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const usage = { input_tokens: 30, output_tokens: 4, cached_input_tokens: 10, cost: 0.25 };

async function thinking(): Promise<{ turn: Running; step_id: string }> {
  const turn = await running("Hand");
  return { turn, step_id: await beginning(turn) };
}

async function beginning(turn: Running): Promise<string> {
  const request = { card_ids: [], system: "", tools: [], bytes: Buffer.from("{}"), tokens: 0, tools_tokens: 0 };
  const begun = await beginStep(kernel, { ...turn, request });
  if (isFenced(begun)) throw new Error("the turn has just been started");
  return begun.step_id;
}

const ending = (turn: Running, step?: LastStep) => ({
  ...turn,
  ...{ status: "success" as const, content: { kind: "text" as const, text: "done" }, step },
});

test("the step is completed with its usage, and its tokens and cost are added to the turn, in one transaction", async () => {
  const { turn, step_id } = await thinking();
  const before = await turnOf(kernel, P, turn.agent_turn_id);
  const xid = async () => {
    const { rows } = await kernel.test.pool.query<{ xids: number }>(
      `SELECT count(DISTINCT x)::int AS xids FROM (
         SELECT xmin::text AS x FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2
         UNION ALL SELECT xmin::text FROM state.agent_steps WHERE project_id = $1 AND step_id = $3) r`,
      [P, turn.agent_turn_id, step_id],
    );
    return rows[0]?.xids;
  };
  await deliverTurn(kernel, ending(turn, { step_id, usage, note: "delivers" }));
  const [step] = await stepsOf(kernel, turn.turn);
  const { cost: _, ...kept } = usage;
  expect(step).toMatchObject({ status: "completed", error: null, note: "delivers", cost: 0.25, usage: kept });
  const after = await turnOf(kernel, P, turn.agent_turn_id);
  expect(after).toMatchObject({ status: "success", cost: 0.25, note: "done" });
  expect([after.tokens_in - before.tokens_in, after.tokens_out - before.tokens_out]).toEqual([30, 4]);
  expect(await xid()).toBe(1);
});

test("a step that has ended before adds nothing again", async () => {
  const { turn, step_id } = await thinking();
  await endStep(kernel, { ...turn, step_id, cards: [], usage });
  await deliverTurn(kernel, ending(turn, { step_id, usage }));
  expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject({
    status: "success",
    cost: 0.25,
    tokens_in: 30,
    tokens_out: 4,
  });
});

test("the step of another turn is not touched, and a step that nobody names is abandoned", async () => {
  const other = await thinking();
  const { turn, step_id } = await thinking();
  await deliverTurn(kernel, ending(turn, { step_id: other.step_id, usage }));
  expect(await stepsOf(kernel, other.turn.turn)).toMatchObject([{ status: "started" }]);
  expect(await stepsOf(kernel, turn.turn)).toMatchObject([
    { step_id, status: "failed", error: /abandoned/, usage: null },
  ]);
  expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject({ cost: null, tokens_in: 0, tokens_out: 0 });
});

test("what no provider counted is not kept as a count of nothing", async () => {
  const { turn, step_id } = await thinking();
  await deliverTurn(kernel, ending(turn, { step_id }));
  expect(await stepsOf(kernel, turn.turn)).toMatchObject([{ status: "completed", usage: null, cost: null }]);
});

test("a turn that ends without words keeps the note of its step", async () => {
  const { turn, step_id } = await thinking();
  const end = { ...turn, status: "partial" as const, content: null, error_code: "empty_answer" };
  await deliverTurn(kernel, { ...end, step: { step_id, note: "delivers" } });
  expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject({ status: "partial", note: "delivers" });
});

test("of two that end together, one that names the other's step is charged nothing", async () => {
  const [one, two] = [await thinking(), await thinking()];
  await deliverTurns(kernel, [ending(one.turn, { step_id: two.step_id, usage }), ending(two.turn)]);
  expect(await turnOf(kernel, P, one.turn.agent_turn_id)).toMatchObject({ cost: null, tokens_in: 0 });
});

test("many at once: each turn gets what its own step used", async () => {
  const turns = await Promise.all(Array.from({ length: 5 }, thinking));
  await deliverTurns(
    kernel,
    turns.map(({ turn, step_id }, i) => ending(turn, i === 2 ? undefined : { step_id, usage: { output_tokens: i } })),
  );
  const ended = await Promise.all(turns.map(({ turn }) => turnOf(kernel, P, turn.agent_turn_id)));
  expect(ended.map((turn) => [turn.status, turn.tokens_out, turn.cost])).toEqual(
    [0, 1, 0, 3, 4].map((tokens) => ["success", tokens, null]),
  );
});
