// Turns of real models, from the profile to the provider's wire and back, on a real database.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type StepRow, stepsOf, typesOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import {
  startWireServer,
  type WireProvider,
  type WireReplies,
  type WireServer,
} from "@/server/testing/wire/wire-server";
import type { Worker } from "../loop";
import { modelsOf } from "./models";
import { modelTiming } from "./timing";

const KEY = "sk-secret-0123456789abcdef";
const urls: Record<WireProvider, string> = {
  openai: "OPENAI",
  anthropic: "ANTHROPIC",
  google: "GOOGLE_GENERATIVE_AI",
  "openai-compatible": "MOONSHOT",
};

let kernel: TestKernel;
let worker: Worker;
let server: WireServer;
let settings = parseEnv({});
let P = "p0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 50 } });
  const models = modelsOf(() => settings, { ...modelTiming, retryMs: 4, gapMs: 300 });
  worker = await startTestWorker(kernel, { models, targets: ["worker_generic"] });
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});
beforeEach(() => {
  P = `p${++n}`;
});
afterEach(() => server.close());

async function launch(provider: WireProvider, replies: WireReplies, profile: Record<string, unknown>) {
  server = await startWireServer({ provider, replies });
  settings = parseEnv({ [`${urls[provider]}_API_KEY`]: KEY, [`${urls[provider]}_BASE_URL`]: server.url });
  await seedProject(kernel, P, [{ name: "Solo", ...profile }]);
  return launchTurn(kernel, P, { target: "Solo", instruction: "count the ships" });
}

async function run(...given: Parameters<typeof launch>): Promise<TurnRow> {
  const { agent_turn_id } = await launch(...given);
  return untilTurn(kernel, P, agent_turn_id);
}

type Costed = StepRow & { usage: Record<string, number> | null; cost: string | null; request_tokens: number };
const costed = async (turn: TurnRow) => (await stepsOf(kernel, turn)) as Costed[];

const usage = { input_tokens: 1_000, output_tokens: 100, cached_input_tokens: 200, reasoning_tokens: 40 };

test("each step keeps the bytes that were sent, its usage and its cost, and the turn their sums", async () => {
  const turn = await run(
    "openai",
    [
      { calls: [{ name: "think", arguments: { thought: "hm" } }], usage },
      { text: "seven ships", usage },
    ],
    { llm_config: { model: "openai/gpt-5-mini", reasoning_effort: "low" } },
  );
  expect(turn).toMatchObject({ status: "success", tokens_in: 2_000, tokens_out: 200 });
  expect(await deliverableOf(kernel, turn)).toBe("seven ships");
  const steps = await costed(turn);
  expect(steps.map((step, at) => step.request_bytes.equals(server.requests[at]?.bytes ?? Buffer.of()))).toEqual([
    true,
    true,
  ]);
  expect(steps.map((step) => step.sha_is_right)).toEqual([true, true]);
  expect(steps[0]?.usage).toEqual(usage);
  // 800 fresh at 0.25, 200 cached at 0.025, 100 out at 2 dollars a million.
  expect(steps.map((step) => Number(step.cost))).toEqual([0.000405, 0.000405]);
  expect(Number(turn.cost)).toBe(0.00081);
  expect(steps[0]?.request_tokens).toBeGreaterThan(0);
});

test("writing into a cache has its price", async () => {
  const written = { ...usage, cache_write_tokens: 300 };
  const turn = await run("anthropic", [{ text: "x", usage: written }], {
    llm_config: { model: "anthropic/claude-sonnet-4-5" },
  });
  // 500 fresh at 3, 200 cached at 0.3, 300 written at 3.75, 100 out at 15 dollars a million.
  expect(Number((await costed(turn))[0]?.cost)).toBe(0.004185);
  expect((await costed(turn))[0]?.usage).toMatchObject({ input_tokens: 1_000, cache_write_tokens: 300 });
});

test("what OpenRouter billed is the cost, also for a model that no table prices, whole or streamed", async () => {
  for (const stream of [true, false]) {
    P = `${P}_${stream}`;
    server = await startWireServer({
      provider: "openai-compatible",
      replies: [{ text: "x", usage: { ...usage, cost: 0.0123456 } }],
    });
    settings = parseEnv({ OPENROUTER_API_KEY: KEY, OPENROUTER_BASE_URL: server.url });
    await seedProject(kernel, P, [{ name: "Solo", llm_config: { model: "openrouter/some/model", stream } }]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo", instruction: "count the ships" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    expect(Number(turn.cost)).toBe(0.012346);
    if (stream) await server.close();
  }
});

test("a cost in the usage of another provider does not count as a bill", async () => {
  const turn = await run("openai-compatible", [{ text: "x", usage: { ...usage, cost: 9 } }], {
    llm_config: { model: "moonshot/kimi-k2.5" },
  });
  // 800 fresh at 0.6, 200 cached at 0.1, 100 out at 3 dollars a million.
  expect(Number(turn.cost)).toBe(0.0008);
});

test("a model that no table prices has usage and no cost", async () => {
  const turn = await run("openai-compatible", [{ text: "x", usage }], { llm_config: { model: "moonshot/kimi-next" } });
  expect(turn).toMatchObject({ status: "success", tokens_in: 1_000, cost: null });
  expect((await costed(turn))[0]).toMatchObject({ usage, cost: null });
});

test("parallel calls with repeated ids: each result follows its call, and no id is used twice", async () => {
  const calls = [
    { id: "call_0", name: "think", arguments: { thought: "a" } },
    { id: "call_1", name: "think", arguments: { thought: "b" } },
  ];
  const turn = await run("openai-compatible", [{ calls }, { text: "on", calls }, { text: "done" }], {
    llm_config: { model: "moonshot/kimi-k2.5" },
  });
  expect(turn.status).toBe("success");
  const cards = await outputOf(kernel, turn);
  const made = cards.filter((card) => card.type === "tool.call");
  expect(new Set(made.map((card) => card.tool_call_id)).size).toBe(4);
  expect(made.map((card) => card.metadata.provider_call_id)).toEqual(["call_0", "call_1", "call_0", "call_1"]);
  type Told = { role: string; tool_calls?: { id: string }[]; tool_call_id?: string };
  const told = server.requests.map((request) => (request.body.messages as Told[]).slice(2));
  // Ids that were given once are restored; ids that were given twice are not.
  expect(told[1]?.flatMap((m) => m.tool_calls?.map((call) => call.id) ?? m.tool_call_id)).toEqual([
    "call_0",
    "call_1",
    "call_0",
    "call_1",
  ]);
  const last = told[2] ?? [];
  expect(last.map((m) => m.role)).toEqual(["assistant", "tool", "tool", "assistant", "tool", "tool"]);
  const ids = last.flatMap((m) => m.tool_calls?.map((call) => call.id) ?? []);
  expect(new Set(ids).size).toBe(4);
  expect(last.flatMap((m) => m.tool_call_id ?? [])).toEqual(ids);
});

test("thinking blocks of Anthropic are sent back unchanged, before the calls they led to", async () => {
  const turn = await run(
    "anthropic",
    [
      {
        reasoning: "I must note it.",
        signature: "c2lnbmVk",
        text: "noting",
        calls: [{ id: "toolu_1", name: "think", arguments: { thought: "hm" } }],
      },
      { text: "done" },
    ],
    { llm_config: { model: "anthropic/claude-sonnet-4-5", reasoning_effort: "medium", max_tokens: 2_000 } },
  );
  expect(turn.status).toBe("success");
  expect(server.requests[0]?.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 8_192 } });
  const messages = server.requests[1]?.body.messages as { role: string; content: object[] }[];
  expect(messages.map((m) => m.role)).toEqual(["user", "assistant", "user"]);
  expect(messages[1]?.content).toMatchObject([
    { type: "thinking", thinking: "I must note it.", signature: "c2lnbmVk" },
    { type: "text", text: "noting" },
    { type: "tool_use", id: "toolu_1", name: "think", input: { thought: "hm" } },
  ]);
  expect(messages[2]?.content).toMatchObject([{ type: "tool_result", tool_use_id: "toolu_1" }]);
});

test("thought signatures of Gemini are sent back on the same parts they came with", async () => {
  const turn = await run(
    "google",
    [
      {
        reasoning: "Two notes.",
        calls: [
          { name: "think", arguments: { thought: "a" }, signature: "Zmlyc3Q=" },
          { name: "think", arguments: { thought: "b" } },
        ],
      },
      { text: "done" },
    ],
    { llm_config: { model: "gemini/gemini-3-flash-preview", reasoning_effort: "low", temperature: 1.0, stream: true } },
  );
  expect(turn.status).toBe("success");
  expect(server.requests[0]).toMatchObject({
    path: "/v1beta/models/gemini-3-flash-preview:streamGenerateContent",
    body: { generationConfig: { temperature: 1, thinkingConfig: { thinkingLevel: "low" } } },
  });
  const contents = server.requests[1]?.body.contents as { role: string; parts: Record<string, unknown>[] }[];
  expect(contents.map((c) => c.role)).toEqual(["user", "model", "user"]);
  const calls = contents[1]?.parts.filter((part) => "functionCall" in part);
  expect(calls?.map((part) => part.thoughtSignature)).toEqual(["Zmlyc3Q=", undefined]);
  expect(contents[2]?.parts).toHaveLength(2);
});

test("encrypted reasoning of OpenAI is sent back before its call, and nothing refers to data stored elsewhere", async () => {
  const turn = await run(
    "openai",
    [
      { signature: "ZW5jcnlwdGVk", calls: [{ id: "call_a", name: "think", arguments: { thought: "a" } }] },
      { text: "done" },
    ],
    { llm_config: { provider: "openai", model: "gpt-5-mini" } },
  );
  expect(turn.status).toBe("success");
  expect(server.requests[0]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  const input = server.requests[1]?.body.input as Record<string, unknown>[];
  expect(input.map((item) => item.type ?? item.role)).toEqual([
    "developer",
    "user",
    "reasoning",
    "function_call",
    "function_call_output",
  ]);
  expect(input[2]).toMatchObject({ encrypted_content: "ZW5jcnlwdGVk" });
  expect(input[3]).toMatchObject({ call_id: "call_a" });
});

test("a context that does not fit names the window and the cards that weigh most", async () => {
  const message =
    "This model's maximum context length is 262144 tokens. However, your messages resulted in 300000 tokens.";
  const turn = await run("openai-compatible", [{ error: { status: 400, message, code: "context_length_exceeded" } }], {
    llm_config: { model: "moonshot/kimi-k2.5" },
  });
  expect(turn).toMatchObject({ status: "failed", error_code: "context_overflow" });
  expect(turn.error).toMatch(
    /window of 262,144 tokens of moonshot\/kimi-k2\.5.*\nHeaviest cards.*\n[\d,]+ tokens: count the ships \(task\.instruction \S+\)/,
  );
  expect((await stepsOf(kernel, turn))[0]).toMatchObject({ status: "failed", error: turn.error });
});

test("a stream that breaks midway is requested again in the same step, and the partial answer is on no card", async () => {
  const text = "a text that comes in many pieces and breaks off";
  const turn = await run("anthropic", [{ text, diesAfter: 5 }, { text: "whole" }], {
    llm_config: { model: "claude/claude-haiku-4-5", max_tokens: 50 },
  });
  expect(turn.status).toBe("success");
  expect(await stepsOf(kernel, turn)).toHaveLength(1);
  expect(typesOf(await outputOf(kernel, turn))).toEqual(["task.deliverable"]);
  expect(await deliverableOf(kernel, turn)).toBe("whole");
});

test("a worker that stops during a stream closes it, loses no card, and the next one continues from there", async () => {
  const { agent_turn_id } = await launch(
    "anthropic",
    [
      { text: "noting", calls: [{ name: "think", arguments: { thought: "hm" } }] },
      { text: "an answer in several pieces that stops to come", stallsAfter: 5 },
      { text: "done" },
    ],
    { worker_target: P, llm_config: { model: "anthropic/claude-haiku-4-5" } },
  );
  const models = modelsOf(() => settings);
  const first = await startTestWorker(kernel, { worker_id: "first", targets: [P], models, graceMs: 0 });
  await expect.poll(() => server.requests.length, { timeout: 5_000 }).toBe(2);
  await first.stop();
  await expect.poll(() => server.hangUps).toBe(1);
  const second = await startTestWorker(kernel, { worker_id: "second", targets: [P], models });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await second.stop();
  expect(turn.status).toBe("success");
  expect(typesOf(await outputOf(kernel, turn))).toEqual([
    "agent.thought",
    "tool.call",
    "tool.result",
    "task.deliverable",
  ]);
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.bytes.equals(server.requests[1]?.bytes ?? Buffer.of())).toBe(true);
});

test("a server without /responses is sent chat completions: one step for each, with the bytes that were sent", async () => {
  server = await startWireServer({
    provider: "openai-compatible",
    replies: [{ text: "unread" }, { text: "seven ships" }],
  });
  settings = parseEnv({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url });
  await seedProject(kernel, P, [{ name: "Solo", llm_config: { model: "openai/qwen" } }]);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo", instruction: "count the ships" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn).toMatchObject({ status: "success", error_code: null });
  const steps = await costed(turn);
  expect(steps.map((step) => step.status)).toEqual(["failed", "completed"]);
  expect(steps[0]).toMatchObject({ error: expect.stringContaining("no /responses (404)") });
  const { rows } = await kernel.db.pool.query<{ request_bytes: Buffer }>(
    "SELECT state.request_of(project_id, step_id) AS request_bytes FROM state.agent_steps WHERE project_id = $1 ORDER BY started_at",
    [P],
  );
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
  for (const [i, { bytes }] of server.requests.entries()) expect(rows[i]?.request_bytes.equals(bytes)).toBe(true);
});

test("a partial text fails the turn: it is kept and marked, and no later request repeats it as an answer", async () => {
  const turn = await run("openai", [{ text: "Seven ships and", finish: "length", usage }], {
    llm_config: { model: "openai/gpt-5-mini", max_tokens: 5 },
  });
  expect(turn).toMatchObject({ status: "failed", error_code: "output_truncated", tokens_out: 100 });
  const [half] = (await outputOf(kernel, turn)).filter((card) => card.type === "agent.thought");
  expect(half).toMatchObject({
    content: { kind: "text", text: "Seven ships and" },
    metadata: { is_partial: true, finish_reason: "max_output_tokens" },
  });
  expect(await deliverableOf(kernel, turn)).toMatchObject({ kind: "fallback_deliverable", status: "failed" });
  expect((await costed(turn)).at(-1)).toMatchObject({ status: "failed", error: expect.stringContaining("cut at 5") });
});

test.each([true, false])(
  "a prompt that Gemini blocks fails under its own code, not as an empty answer (stream: %s)",
  async (stream) => {
    const blocked = { blocked: "PROHIBITED_CONTENT", usage: { input_tokens: 40, output_tokens: 0 } };
    const turn = await run("google", [blocked], { llm_config: { model: "gemini/gemini-3-flash-preview", stream } });
    expect(turn).toMatchObject({
      status: "failed",
      error_code: "prompt_blocked",
      error: expect.stringContaining("google blocked the prompt (PROHIBITED_CONTENT)"),
      tokens_in: 40,
    });
    // Sent only once: what is blocked stays blocked.
    expect(server.requests).toHaveLength(1);
  },
);

test("an empty answer is reported as empty", async () => {
  const turn = await run("anthropic", [{ text: "", usage }], { llm_config: { model: "claude/claude-haiku-4-5" } });
  expect(turn).toMatchObject({
    status: "partial",
    error_code: "empty_answer",
    error: "the model's answer was empty: no text and no tool call (finish reason: end_turn)",
  });
  expect(await deliverableOf(kernel, turn)).toMatchObject({
    fields: expect.arrayContaining([
      { name: "summary", value: expect.stringContaining("empty") },
      { name: "reason", value: "empty_answer" },
    ]),
  });
});

test("a turn that Claude pauses continues with what it has said", async () => {
  const turn = await run("anthropic", [{ text: "So far.", finish: "pause" }, { text: "Seven ships." }], {
    llm_config: { model: "claude/claude-haiku-4-5" },
  });
  expect(turn).toMatchObject({ status: "success", step_count: 2 });
  expect(JSON.stringify(server.requests[1]?.body)).toContain("So far.");
});

test("a missing key fails the turn and names the variable; nothing was sent", async () => {
  const { agent_turn_id } = await launch("openai", [{ text: "x" }], {
    llm_config: { model: "anthropic/claude-haiku-4-5" },
  });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn).toMatchObject({
    status: "failed",
    error_code: "model_auth_failed",
    error: "llm_config: anthropic needs a key; set ANTHROPIC_API_KEY in the worker's environment",
  });
  expect(server.requests).toHaveLength(0);
});

test("a key is in no table, whatever the provider's error says", async () => {
  const turn = await run(
    "openai",
    [
      { error: { status: 500, message: `upstream got Bearer ${KEY}` } },
      { error: { status: 401, message: `Incorrect API key provided: ${KEY}` } },
    ],
    { llm_config: { model: "openai/gpt-5-mini" } },
  );
  expect((await turnOf(kernel, P, turn.agent_turn_id)).error).toContain("Set OPENAI_API_KEY to a key that it accepts");
  const { rows: tables } = await kernel.db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'state', 'resource')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    const { rows } = await kernel.db.pool.query(`SELECT 1 FROM ${name} t WHERE t::text LIKE $1`, [`%${KEY}%`]);
    expect([name, rows.length]).toEqual([name, 0]);
  }
  const { rows } = await kernel.db.pool.query(
    "SELECT state.request_of(project_id, step_id) AS request_bytes FROM state.agent_steps WHERE project_id = $1",
    [P],
  );
  for (const row of rows as { request_bytes: Buffer }[]) expect(row.request_bytes.includes(KEY)).toBe(false);
});
