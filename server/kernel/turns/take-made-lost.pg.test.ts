// The commit went out with the statements that began turns for this worker, and their answers were lost with the connection: the worker
// is told to look for what it holds, its places are free, and the call is known when it is repeated.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { scripted } from "@/server/testing/turns";
import { type Wired, wireKernel } from "@/server/wire";
import { fork } from "../batch/fork";
import { delegate } from "../delegation/delegate";
import type { Taker } from "../kernel";
import { appendOutput } from "./append-output";

const P = "lost_answers";
const places = { kept: 0, doubts: 0 };
const taker: Taker = {
  worker_id: "maker",
  mayTake: () => false,
  serves: ({ worker_target }) => worker_target === "bench",
  reserve: (n) => {
    places.kept += n;
    return n;
  },
  release: (n) => {
    places.kept -= n;
  },
  take: () => {
    throw new Error("nobody has seen its row");
  },
  doubt: () => places.doubts++,
};
let direct: TestKernel;
let relay: Relay;
let wired: Wired;

beforeAll(async () => {
  direct = await openTestKernel();
  await seedProject(direct, P, [scripted("Hand", [{ deliver: "x" }], { worker_target: "bench" }), { name: "Own" }]);
  relay = await startRelay({ port: Number(new URL(direct.test.url).port) });
  wired = wireKernel({ url: relay.through(direct.test.url), name: "switchyard-relayed" });
});
beforeEach(() => Object.assign(places, { kept: 0, doubts: 0 }));
afterEach(() => relay.thaw());
afterAll(async () => {
  await wired.close();
  await relay.close();
  await direct.close();
});

const { running } = callersOf(() => direct, P);
const countOf = async (sql: string, value: string) => (await direct.test.pool.query(sql, [P, value])).rows.length;
const CHILDREN = "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2";
const RUNNING = `${CHILDREN} AND status = 'running' AND lease_holder = 'maker'`;

/** Answers are late, so that what they answer is seen in the database before they come; then the connection is gone. */
async function cutOnce<T>(isThere: () => Promise<boolean>, call: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  relay.delay(150);
  const called = Promise.allSettled([call()]);
  await expect.poll(isThere, { interval: 5, timeout: 10_000 }).toBe(true);
  relay.cut();
  relay.delay(0);
  const [outcome] = await called;
  return outcome;
}

const calls: [string, "delegate" | "fork", object?][] = [
  ["a delegation", "delegate"],
  ["a fork whose caller goes on", "fork"],
  ["a fork whose caller sleeps", "fork", { sleep: {} }],
];

test.each(calls)("%s", async (_name, tool, more) => {
  const caller = await running("Own");
  const kernel = { ...wired, taker };
  const key = { ...caller, tool_call_id: `tc_${caller.agent_turn_id}` };
  const call = (): Promise<unknown> =>
    tool === "delegate"
      ? delegate(kernel, {
          project_id: P,
          caller: { ...key, client_call_key: key.tool_call_id },
          tool: "delegate_async",
          args: toNew("Hand"),
        })
      : fork(kernel, {
          project_id: P,
          caller: key,
          tool: "fork_join",
          args: { tasks: [toNew("Hand"), toNew("Hand")] },
          ...more,
        });
  const children = tool === "delegate" ? 1 : 2;
  const isThere = async () => (await countOf(CHILDREN, caller.agent_turn_id)) === children;
  const lost = await cutOnce(isThere, call);
  expect(lost).toMatchObject({ status: "rejected", reason: { code: "outcome_unknown", status: 503 } });
  expect(places).toEqual({ kept: 0, doubts: 1 });
  expect(await countOf(RUNNING, caller.agent_turn_id)).toBe(children);
  // The lease of a caller that sleeps is over: its worker asks whether it has slept (carry-out-calls.ts).
  if (!more) await call();
  expect(await countOf(CHILDREN, caller.agent_turn_id)).toBe(children);
});

test("cards that have no ids of their own are not written twice: the outcome is asked for, and returned", async () => {
  const { agent_turn_id, turn_epoch, agent_id } = await running("Own");
  const cards = [{ type: "agent.thought", content: "once", author_id: agent_id }];
  const isThere = async () =>
    (await countOf(
      "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 AND output_cards = 1",
      agent_turn_id,
    )) === 1;
  const kept = await cutOnce(isThere, () => appendOutput(wired, { project_id: P, agent_turn_id, turn_epoch, cards }));
  expect(kept).toMatchObject({ status: "fulfilled", value: { card_ids: [expect.any(String)] } });
});
