// The loop's cases once more with a streaming model: its text and the arguments of its calls arrive in pieces over a real
// connection, and so does what it is sent next. Titles begin with the number of the kernel's case.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { saveTool } from "@/server/kernel/roster/save-tool";
import type { Guests } from "@/server/kernel/tools/guests";
import type { ToolAnswer } from "@/server/kernel/tools/inline-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { codesIn, resultsIn, typesOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import {
  startWireServer,
  type WireReplies,
  type WireRequest,
  type WireServer,
} from "@/server/testing/wire/wire-server";
import type { Worker } from "./loop";
import { modelsOf } from "./models/models";

type Told = { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string };

let kernel: TestKernel;
let worker: Worker;
let wire: WireServer;
let settings = parseEnv({});
let P = "p0";
let n = 0;

beforeAll(async () => {
  // No polls and no heartbeats during a test: everything that happens was caused by a ring.
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 60_000, beatMs: 60_000 } });
  worker = await startTestWorker(kernel, { targets: ["worker_generic"], models: modelsOf(() => settings) });
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});
beforeEach(() => {
  P = `p${++n}`;
});
afterEach(() => wire.close());

async function serve(replies: WireReplies): Promise<void> {
  wire = await startWireServer({ provider: "openai-compatible", replies });
  settings = parseEnv({ MOONSHOT_API_KEY: "sk-streamed", MOONSHOT_BASE_URL: wire.url });
}

const llm_config = { model: "moonshot/kimi-k2.5", stream: true };

async function run(replies: WireReply[], profile: object = {}): Promise<TurnRow> {
  await serve(replies);
  await seedProject(kernel, P, [{ name: "Solo", llm_config, ...profile }]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  return untilTurn(kernel, P, agent_turn_id);
}

const messagesOf = (request: WireRequest | undefined): Told[] => (request?.body.messages ?? []) as Told[];
const toolsOf = (request: WireRequest | undefined): string[] =>
  ((request?.body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
const submit = (args: unknown): WireReply => ({ calls: [{ name: "submit_result", arguments: args }] });
const required = (...names: string[]) => ({
  allowed_internal_tools: ["submit_result"],
  result_fields: names.map((name) => ({ name, description: `the ${name}` })),
});

/** What the last message asks it to add. */
function add(request: WireRequest): WireReply {
  const asked = messagesOf(request).at(-1)?.content ?? "";
  const [, a, b] = /(\d+)\+(\d+)\s*$/.exec(asked) ?? [];
  return { text: a === undefined ? `what is ${asked}?` : String(Number(a) + Number(b)) };
}

test("163 an agent used twice adds what it is asked last, and remembers what it said", async () => {
  await serve(add);
  await seedProject(kernel, P, [{ name: "Adder", llm_config }]);
  const launched = await launchTurn(kernel, P, { target: "Adder", instruction: "1+1" });
  const first = await untilTurn(kernel, P, launched.agent_turn_id);
  const again = await launchTurn(kernel, P, { target: first.agent_id, strategy: "reuse", instruction: "2+3" });
  const second = await untilTurn(kernel, P, again.agent_turn_id);
  expect([await deliverableOf(kernel, first), await deliverableOf(kernel, second)]).toEqual(["2", "5"]);
  expect(second.output_box_id).toBe(first.output_box_id);
  const told = messagesOf(wire.requests[1]).filter(({ role }) => role !== "system");
  // Providers require a user message first.
  expect(told).toMatchObject([
    { role: "user", content: "(Your earlier work follows.)" },
    { role: "assistant", content: "2" },
    { role: "user", content: expect.stringMatching(/2\+3$/) },
  ]);
});

test("163 the same through fork_join: the forked agent continues in its box and reads the new sum last", async () => {
  const reuse = (agent_id: string, instruction: string) => ({
    name: "fork_join",
    arguments: { tasks: [{ target_strategy: "reuse", target_ref: agent_id, instruction }] },
  });
  let adder = "";
  await serve((request) => {
    const told = messagesOf(request);
    if (!told.some(({ content }) => content === "have them added")) return add(request);
    const results = told.filter(({ role }) => role === "tool");
    return results.length < 2 ? { calls: [reuse(adder, ["1+1", "2+3"][results.length] ?? "")] } : { text: "added" };
  });
  await seedProject(kernel, P, [
    { name: "Adder", llm_config },
    { name: "Boss", llm_config, allowed_tools: ["fork_join"] },
  ]);
  const launched = await launchTurn(kernel, P, { target: "Adder", instruction: "0+1" });
  adder = (await untilTurn(kernel, P, launched.agent_turn_id)).agent_id;
  const boss = await launchTurn(kernel, P, { target: "Boss", instruction: "have them added" });
  const turn = await untilTurn(kernel, P, boss.agent_turn_id);
  expect(turn).toMatchObject({ status: "success", error: null });
  expect(resultsIn(await outputOf(kernel, turn)).map(({ result }) => result)).toMatchObject([
    { status: "success", results: [{ summary: "2" }] },
    { status: "success", results: [{ summary: "5" }] },
  ]);
  const last = wire.requests.map(messagesOf).findLast((told) => told.at(-1)?.content?.endsWith("2+3"));
  const said = last?.filter(({ role }) => role === "assistant").map(({ content }) => content);
  // One message to this provider, and two answers all the same.
  expect(said).toEqual(["1\n\n2"]);
});

test("165 two steps left: the warning; the last one: only submit_result, in the request itself", async () => {
  const think = (thought: string): WireReply => ({ calls: [{ name: "think", arguments: { thought } }] });
  const turn = await run([think("a"), think("b"), think("c"), submit({ a: "1" })], { max_steps: 4, ...required("a") });
  expect(turn).toMatchObject({ status: "success", step_count: 4 });
  expect(wire.requests.map((request) => messagesOf(request)[0]?.content?.includes("## Step budget"))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(wire.requests.slice(0, 3).every((request) => toolsOf(request).includes("think"))).toBe(true);
  expect(toolsOf(wire.requests[3])).toEqual(["submit_result"]);
});

test("165 a model that calls another tool in its last step is refused it, and the turn ends max_steps_reached", async () => {
  const turn = await run(
    [{ text: "hm", calls: [{ name: "think", arguments: { thought: "a" } }] }, { calls: [{ name: "web_search" }] }],
    { max_steps: 2, ...required("a") },
  );
  expect(turn).toMatchObject({ status: "failed", error_code: "max_steps_reached", step_count: 2 });
  expect(codesIn(await outputOf(kernel, turn)).slice(0, 2)).toEqual(["success", "not_found"]);
});

test("167 after a submission that lacks a field the next request names it, and the right one ends the turn", async () => {
  const list = [
    { name: "b", value: 1 },
    { name: "x", value: null },
  ];
  const twice = [
    { name: "a", value: 1 },
    { name: "a", value: 2 },
    { name: "b", value: 3 },
  ];
  const replies = [submit({ fields: list }), submit({ fields: twice }), submit({ a: "1", b: { k: 1 }, z: "q" })];
  const turn = await run(replies, required("a", "b"));
  expect(turn).toMatchObject({ status: "success", step_count: 3 });
  expect(messagesOf(wire.requests[1]).at(-1)).toMatchObject({
    role: "tool",
    content: expect.stringContaining("missing ['a']"),
  });
  expect(messagesOf(wire.requests[2]).at(-1)?.content).toContain("duplicate ['a']");
  expect(await deliverableOf(kernel, turn)).toEqual({
    fields: [
      { name: "a", value: "1" },
      { name: "b", value: '{"k":1}' },
      { name: "z", value: "q" },
    ],
  });
});

test("167 a submission together with another call is refused, and the other call is carried out", async () => {
  const both = [
    { name: "submit_result", arguments: { a: "1" } },
    { name: "think", arguments: { thought: "?" } },
  ];
  const turn = await run([{ calls: both }, submit({ a: "2" })], required("a"));
  expect(codesIn(await outputOf(kernel, turn))).toEqual(["bad_request", "success", "success"]);
  expect(await deliverableOf(kernel, turn)).toEqual({ fields: [{ name: "a", value: "2" }] });
});

test("must_end_with: a text alone is answered with a reminder, which is a user message, and another step", async () => {
  const turn = await run([{ text: "I am done." }, submit({ a: "1" })], {
    ...required("a"),
    must_end_with: ["submit_result"],
  });
  expect(turn.status).toBe("success");
  expect(messagesOf(wire.requests[1]).slice(-2)).toMatchObject([
    { role: "assistant", content: "I am done." },
    { role: "user", content: expect.stringContaining("submit_result") },
  ]);
});

test("171 an unknown tool and truncated arguments have failed results, nothing is suspended, the turn continues", async () => {
  const turn = await run([
    { text: "Let me look.", calls: [{ id: "c1", name: "no_such_tool", arguments: { q: 1 } }] },
    { calls: [{ id: "c2", name: "think", arguments: '{"thought": "brok' }] },
    { text: "still here" },
  ]);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 1, step_count: 3 });
  const cards = await outputOf(kernel, turn);
  expect(codesIn(cards)).toEqual(["not_found", "bad_request"]);
  const calls = cards.filter((card) => card.type === "tool.call");
  expect(calls.map((card) => card.content)).toMatchObject([
    { tool_name: "no_such_tool", arguments: { q: 1 } },
    { tool_name: "think", arguments: '{"thought": "brok' },
  ]);
  // A call that no provider accepts back is sent anyway: each result follows a call.
  const told = messagesOf(wire.requests[2]);
  expect(told.map(({ role }) => role).slice(-4)).toEqual(["assistant", "tool", "assistant", "tool"]);
  expect(told.at(-1)?.content).toContain("not JSON");
});

test("171 every call of a step has its result, whatever happened to the others, in the order of the calls", async () => {
  const calls = [
    { name: "no_such_tool" },
    { name: "think", arguments: { thought: "x" } },
    { name: "think", arguments: "[1]" },
  ];
  const turn = await run([{ calls }, { text: "done" }]);
  const cards = await outputOf(kernel, turn);
  expect(codesIn(cards)).toEqual(["not_found", "success", "bad_request"]);
  const told = messagesOf(wire.requests[1]);
  const asked = told.at(-4)?.tool_calls as { id: string }[];
  expect(told.slice(-3).map(({ tool_call_id }) => tool_call_id)).toEqual(asked.map(({ id }) => id));
});

test("171 a tool that throws, answers nothing, or answers no JSON: a failed result each, and the turn continues", async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const answers: Record<string, () => Promise<ToolAnswer>> = {
    srv__throws: () => Promise.reject(new Error("the tool's own fault")),
    srv__nothing: async () => ({ status: "success", result: undefined }),
    srv__circle: async () => ({ status: "success", result: circle }),
  };
  const names = Object.keys(answers);
  const guests: Guests = {
    tools: names.map((tool_name) => ({ tool_name, description: "", parameters: { type: "object", properties: {} } })),
    offers: [],
    away: [],
    left_out: [],
    call: ({ tool_name }) => answers[tool_name]?.() ?? Promise.reject(new Error(tool_name)),
  };
  await serve([{ calls: names.map((name) => ({ name })) }, { text: "still here" }]);
  await seedProject(kernel, P, [
    { name: "Solo", worker_target: P, llm_config, mcp_servers: ["srv"], allowed_tools: names },
  ]);
  const mcp = { guestsOf: async () => guests, close: async () => undefined };
  const host = await startTestWorker(kernel, { worker_id: P, targets: [P], models: modelsOf(() => settings), mcp });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await host.stop();
  expect(turn).toMatchObject({ status: "success", step_count: 2, turn_epoch: 1 });
  const cards = await outputOf(kernel, turn);
  expect(codesIn(cards)).toEqual(["internal_error", "internal_error", "result_not_serializable"]);
  expect(resultsIn(cards).map(({ error }) => error?.message)).toEqual([
    "the tool's own fault",
    "the tool answered nothing",
    "the tool's result cannot be written as JSON",
  ]);
});

test("177 a tool of the project that the profile does not list is not offered, and refused when it is called", async () => {
  await serve([{ calls: [{ name: "web_search", arguments: { query: "x" } }] }, { text: "then not" }]);
  await seedProject(kernel, P, [{ name: "Solo", llm_config }]);
  await saveTool(kernel, { project_id: P, tool: { tool_name: "web_search" } });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(toolsOf(wire.requests[0])).not.toContain("web_search");
  expect(codesIn(await outputOf(kernel, turn))).toEqual(["auth_failed"]);
  expect(turn).toMatchObject({ status: "success", turn_epoch: 1 });
  const { rows } = await kernel.db.pool.query("SELECT 1 FROM state.turn_waiting_tools WHERE project_id = $1", [P]);
  expect(rows).toEqual([]);
});

test("159 two tools that suspend, called in one step: results in any order, sent in the order of the calls", async () => {
  await serve([
    {
      text: "Asking both.",
      calls: [
        { id: "call_0", name: "slow", arguments: { n: 1 } },
        { id: "call_1", name: "slow", arguments: { n: 2 } },
      ],
    },
    { text: "both are there" },
  ]);
  await seedProject(kernel, P, [{ name: "Solo", llm_config, allowed_tools: ["slow"] }]);
  await saveTool(kernel, { project_id: P, tool: { tool_name: "slow" } });
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const asleep = await untilTurn(kernel, P, agent_turn_id, "suspended");
  const ids = (await outputOf(kernel, asleep)).flatMap((card) => (card.type === "tool.call" ? card.tool_call_id : []));
  for (const [i, tool_call_id] of ids.entries())
    if (i === 1)
      await reportResult(kernel, { project_id: P, tool_call_id: tool_call_id ?? "", status: "success", result: "two" });
  await new Promise((done) => setTimeout(done, 300));
  expect(await turnOf(kernel, P, agent_turn_id)).toMatchObject({ status: "suspended" });
  expect(wire.requests).toHaveLength(1);
  await reportResult(kernel, { project_id: P, tool_call_id: ids[0] ?? "", status: "success", result: "one" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn).toMatchObject({ status: "success", turn_epoch: asleep.turn_epoch + 1 });
  expect(resultsIn(await outputOf(kernel, turn)).map(({ result }) => result)).toEqual(["two", "one"]);
  expect(messagesOf(wire.requests[1]).slice(-3)).toMatchObject([
    { role: "assistant", content: "Asking both." },
    { role: "tool", tool_call_id: "call_0", content: expect.stringContaining("one") },
    { role: "tool", tool_call_id: "call_1", content: expect.stringContaining("two") },
  ]);
});

test("a stopped turn closes its provider's stream at once, and the partial answer is on no card", async () => {
  await serve([{ text: "on and on and on. ".repeat(200), gapMs: 100 }]);
  await seedProject(kernel, P, [{ name: "Solo", llm_config }]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await expect.poll(() => wire.requests.length, { timeout: 10_000 }).toBe(1);
  await new Promise((done) => setTimeout(done, 400));
  expect(wire.hangUps).toBe(0);
  await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "ann" });
  await expect.poll(() => wire.hangUps, { timeout: 5_000 }).toBe(1);
  await expect.poll(() => worker.active()).toBe(0);
  const turn = await turnOf(kernel, P, agent_turn_id);
  expect(turn).toMatchObject({ status: "canceled", error_code: "stopped" });
  expect(typesOf(await outputOf(kernel, turn))).toEqual(["task.deliverable"]);
  expect(wire.requests).toHaveLength(1);
});

test("a subtree that is stopped: all of its models stop talking", async () => {
  const fork = {
    name: "fork_join",
    arguments: {
      tasks: [1, 2, 3].map((i) => ({ target_strategy: "new", target_ref: "Teller", instruction: `story ${i}` })),
    },
  };
  await serve((request) =>
    messagesOf(request).some(({ content }) => content?.endsWith("begin"))
      ? { calls: [fork] }
      : { text: "once upon a time ".repeat(200), gapMs: 100 },
  );
  await seedProject(kernel, P, [
    { name: "Boss", llm_config, allowed_tools: ["fork_join"] },
    { name: "Teller", llm_config },
  ]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  await expect.poll(() => wire.requests.length, { timeout: 10_000 }).toBe(4);
  await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "subtree", by: "ann" });
  await expect.poll(() => wire.hangUps, { timeout: 5_000 }).toBe(3);
  await expect.poll(() => worker.active()).toBe(0);
});
