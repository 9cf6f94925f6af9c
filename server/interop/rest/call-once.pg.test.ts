// Concurrent sends of the same call run it once, over any number of processes: a service counts its requests, and the turn's
// box shows how many results it got.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDb } from "@/server/db";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { tunables } from "@/server/kernel/tunables";
import { foreignWorker, forkOf, type Held } from "@/server/testing/foreign-worker";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { type Answer, startToolService, type ToolService } from "@/server/testing/tool-service";
import { outputOf, turnOf } from "@/server/testing/turns";

let kernel: TestKernel;
/** Another process: with its own pool. */
let second: Kernel;
let service: ToolService;
let answer: Answer = () => null;
const gates: (() => void)[] = [];
/** Answers when the test says so. */
const held: Answer = () => new Promise((done) => gates.push(() => done({ n: service.asked.length })));

beforeAll(async () => {
  service = await startToolService((asked, response) => answer(asked, response));
  const outbound = { origins: [service.origin], secret: () => undefined };
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 }, outbound });
  second = createKernel({ ...kernel, db: openDb(kernel.test.url) });
});
afterAll(async () => {
  await second.db.close();
  await service.stop();
  await kernel.close();
});
beforeEach(async () => {
  service.asked.length = 0;
  gates.length = 0;
  await settle();
  await ok("POST", at("/tools"), { tool_name: "slow", target_subject: `${service.origin}/slow` });
});
afterEach(async () => {
  const { violations } = await checkInvariants(kernel.db.pool, { when: "always" });
  expect(violations).toEqual([]);
});

const { act, at, ok, own, path, post, refused, settle, started, step } = foreignWorker(() => kernel);
const elsewhere = restOf(() => second);

const body = async (turn: Held, tool_name: string, args: object = {}) => ({
  epoch: turn.epoch,
  step_id: await step(turn),
  tool_name,
  arguments: args,
  client_call_id: "c1",
});
const results = async ({ id }: Held) =>
  (await outputOf(kernel, await turnOf(kernel, own.project, id))).filter((card) => card.type === "tool.result");
const inFlight = async () =>
  (await kernel.test.pool.query("SELECT * FROM state.calls_in_flight WHERE project_id = $1", [own.project])).rows;

describe.each([2, 10])("the same call %i times at once", (times) => {
  test("asks the service once, over two processes too, and all are told the same", async () => {
    answer = held;
    const turn = await started("Boss");
    const call = await body(turn, "slow");
    const calls = Array.from({ length: times }, (_, i) =>
      (i % 2 === 0 ? post : elsewhere.post)(path(turn, "call"), call),
    );
    await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
    // Those that arrive while it runs wait for it instead of calling again.
    const late = post(path(turn, "call"), call);
    for (let i = 0; i < 5; i++) await kernel.db.pool.query("SELECT pg_sleep(0.05)");
    expect(service.asked).toHaveLength(1);
    gates[0]?.();
    const answers = await Promise.all([...calls, late]);
    expect(answers.map((one) => one.status)).toEqual(answers.map(() => 200));
    expect(answers[0]?.json).toMatchObject({ mode: "inline", status: "success", result: { n: 1 } });
    for (const one of answers) expect(one.json).toEqual(answers[0]?.json);
    expect(service.asked).toHaveLength(1);
    expect(await results(turn)).toHaveLength(1);
    expect(await inFlight()).toEqual([]);
  });
  test.each([
    ["think", { thought: "hm" }],
    ["delegate_async", { target_strategy: "new", target_ref: "Helper", instruction: "x" }],
    ["fork_join", forkOf(["a", "b"]).arguments],
    ["no_such_tool", {}],
  ])("of %s is made once", async (tool_name, args) => {
    const turn = await started("Boss");
    const call = await body(turn, tool_name, args);
    const answers = await Promise.all(
      Array.from({ length: times }, (_, i) => (i % 2 === 0 ? post : elsewhere.post)(path(turn, "call"), call)),
    );
    for (const one of answers) expect(one).toEqual(answers[0]);
    expect(await results(turn)).toHaveLength(tool_name === "fork_join" ? 0 : 1);
    const { rows } = await kernel.test.pool.query(
      "SELECT count(*)::int AS n FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2",
      [own.project, turn.id],
    );
    expect(rows[0].n).toBe({ delegate_async: 1, fork_join: 2 }[tool_name] ?? 0);
    expect(await inFlight()).toEqual([]);
  });
});

test("a service that reports later is called once however often the call is sent, and its report is the result", async () => {
  answer = (_asked, response) => void response.writeHead(202).end();
  const turn = await started("Boss");
  const call = await body(turn, "slow");
  const first = await act(turn, "call", call);
  expect(first).toMatchObject({ mode: "suspend", deadline: expect.any(String) });
  expect(await Promise.all([act(turn, "call", call), act(turn, "call", call)])).toEqual([first, first]);
  expect(service.asked).toHaveLength(1);
  await ok("POST", at(`/tool-calls/${first.tool_call_id}:report`), { status: "success", result: 7 });
  expect(await act(turn, "call", call)).toMatchObject({ mode: "suspend" });
  await act(turn, "suspend", { tool_call_ids: [first.tool_call_id] });
  expect(await act(turn, "call", call)).toMatchObject({ mode: "inline", result: 7 });
  expect(service.asked).toHaveLength(1);
});

test("who died while the call was under way is waited for until its lease ends; then it is made again, with the same key", async () => {
  const turn = await started("Boss");
  const call = await body(turn, "slow");
  // What remains of a process that died between claiming the call and its result.
  answer = held;
  const lost = elsewhere.post(path(turn, "call"), call);
  await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
  const [row] = await inFlight();
  const again = post(path(turn, "call"), call);
  for (let i = 0; i < 3; i++) await kernel.db.pool.query("SELECT pg_sleep(0.05)");
  expect(service.asked).toHaveLength(1);
  await kernel.test.pool.query(
    "UPDATE state.calls_in_flight SET leased_until = now() - interval '1 s' WHERE NOT is_asked",
  );
  await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(2);
  expect((await inFlight())[0].holder).not.toBe(row.holder);
  expect(service.asked.map((one) => one.headers["idempotency-key"])).toEqual([row.tool_call_id, row.tool_call_id]);
  gates[1]?.();
  const told = await again;
  expect(told).toMatchObject({ status: 200, json: { status: "success" } });
  // The first was only slow: it gets the other's result.
  gates[0]?.();
  expect((await lost).json).toEqual(told.json);
  expect(await results(turn)).toHaveLength(1);
});

test.each([
  ["a new generation began", "reason = 'promoted', began_at = now()", "reason = 'new'"],
  [
    "nobody could watch for minutes",
    "watched_at = now() - interval '5 minutes', back_at = NULL",
    "back_at = now() - interval '61 s'",
  ],
])("a call is left to its holder where %s: it could not renew its lease meanwhile", async (_why, away, over) => {
  const installation = (set: string) => kernel.test.pool.query(`UPDATE state.installation SET ${set}`);
  onTestFinished(async () => {
    await installation("reason = 'new', watched_at = now(), back_at = NULL");
  });
  const turn = await started("Boss");
  const call = await body(turn, "slow");
  answer = held;
  const first = elsewhere.post(path(turn, "call"), call);
  await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
  await installation(away);
  await kernel.test.pool.query("UPDATE state.calls_in_flight SET leased_until = now() - interval '1 s'");
  const again = post(path(turn, "call"), call);
  for (let i = 0; i < 8; i++) await kernel.db.pool.query("SELECT pg_sleep(0.05)");
  expect(service.asked).toHaveLength(1);
  // Its minute is over without a sign of life.
  await installation(over);
  await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(2);
  for (const gate of gates) gate();
  expect((await again).json).toEqual((await first).json);
  expect(await results(turn)).toHaveLength(1);
});

test.each([
  ["of another tool", { tool_name: "submit_result", arguments: { result: "done" } }],
  ["with other arguments", { arguments: { thought: "something else" } }],
])("an id that was given to a call is refused for one %s, and nothing is written", async (_what, other) => {
  const turn = await started("Boss");
  const call = await body(turn, "think", { thought: "hm" });
  const told = await act(turn, "call", call);
  const refusal = await refused("POST", path(turn, "call"), { body: { ...call, ...other } });
  expect(refusal).toMatchObject({ status: 409, error_code: "conflict" });
  expect(refusal.error_message).toContain("client_call_id: c1");
  expect(await act(turn, "call", call)).toEqual(told);
  expect(await inFlight()).toEqual([]);
});

test("a call that waits for another of its kind is fenced when its turn is lost meanwhile", async () => {
  answer = held;
  const turn = await started("Boss");
  const call = await body(turn, "slow");
  const both = [post(path(turn, "call"), call), elsewhere.post(path(turn, "call"), call)];
  await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
  await ok("POST", path(turn, "stop"), { scope: "turn", user: "local" });
  gates[0]?.();
  for (const one of await Promise.all(both))
    expect(one).toMatchObject({ status: 409, json: { detail: { error_code: "fenced" } } });
  expect(service.asked).toHaveLength(1);
});
