// Real models against servers that use the providers' own formats: what is sent, what comes back, and how everything that
// can go wrong is handled.
import { afterEach, describe, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireProvider, type WireServer } from "@/server/testing/wire/wire-server";
import type { ModelAnswer, ModelEvent, ModelMessage, ModelRequest } from "./model";
import { modelFor, modelsOf } from "./models";
import { modelTiming } from "./timing";

const KEY = "sk-secret-0123456789abcdef";
const timing = { ...modelTiming, retryMs: 4, firstByteMs: 5_000, gapMs: 200, callMs: 20_000 };
const calm = new AbortController().signal;

const kinds: Record<WireProvider, { model: string; env: (url: string) => Record<string, string> }> = {
  openai: { model: "openai/gpt-5-mini", env: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }) },
  anthropic: {
    model: "anthropic/claude-sonnet-4-5",
    env: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  },
  google: {
    model: "gemini/gemini-3-flash-preview",
    env: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_BASE_URL: url }),
  },
  "openai-compatible": {
    model: "moonshot/kimi-k2.5",
    env: (url) => ({ MOONSHOT_API_KEY: KEY, MOONSHOT_BASE_URL: url }),
  },
};
const all = Object.keys(kinds) as WireProvider[];

let server: WireServer;
afterEach(() => server?.close());

async function open(provider: WireProvider, replies: WireReply[], config: object = {}, over = timing) {
  server = await startWireServer({ provider, replies });
  const { model, env } = kinds[provider];
  const settings = parseEnv(env(server.url));
  const llm_config = { model, ...config };
  const models = modelsOf(() => settings, over);
  const speaker = modelFor(models, llm_config);
  const request = (messages: ModelMessage[] = [{ role: "user", text: "begin" }], tools = offered): ModelRequest => ({
    system: "You are Ann.",
    messages,
    tools,
    llm_config,
    turn: { display_name: "Ann", instruction: "begin", context_box_id: "c", output_box_id: "o", own_cards: [] },
  });
  return { speaker, request };
}

const offered = [
  {
    tool_name: "search",
    description: "Looks things up.",
    parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  },
];

async function events(
  { speaker }: Pick<Awaited<ReturnType<typeof open>>, "speaker">,
  request: ModelRequest,
  signal = calm,
): Promise<ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of speaker.call(request, signal)) seen.push(event);
  return seen;
}

async function ask(...given: Parameters<typeof open>): Promise<ModelAnswer> {
  const opened = await open(...given);
  return answerIn(await events(opened, opened.request()));
}

function answerIn(seen: ModelEvent[]): ModelAnswer {
  const last = seen.at(-1);
  if (last?.kind !== "answer") throw new Error("the last event is the answer");
  return last;
}

const joined = (seen: ModelEvent[], kind: "delta" | "reasoning") =>
  seen.flatMap((event) => (event.kind === kind ? [event.text] : [])).join("");

const usage = { input_tokens: 1_000, output_tokens: 200, cached_input_tokens: 400 };

describe.each(all)("%s", (provider) => {
  test.each([true, false])("what is stored is what is sent, byte for byte (stream: %s)", async (stream) => {
    const opened = await open(provider, [{ text: "hello" }], { stream, temperature: 0.5, max_tokens: 99 });
    const request = opened.request();
    const bytes = await opened.speaker.serialise(request);
    const seen = await events(opened, request);
    expect(answerIn(seen).text).toBe("hello");
    expect(joined(seen, "delta")).toBe("hello");
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.bytes.equals(Buffer.from(bytes))).toBe(true);
    expect(bytes).toContain("You are Ann.");
    expect(bytes).toContain("search");
    expect(bytes).not.toContain(KEY);
    // Another process builds the same bytes from the same request.
    expect(await opened.speaker.serialise(opened.request())).toBe(bytes);
  });

  test.each([true, false])("text, parallel calls, usage and cost (stream: %s)", async (stream) => {
    const reply: WireReply = {
      text: "I look for both.",
      calls: [
        { name: "search", arguments: { q: "a" } },
        { name: "search", arguments: { q: "b" } },
      ],
      usage,
    };
    const said = await ask(provider, [reply], { stream });
    expect(said.text).toBe("I look for both.");
    expect(said.tool_calls.map((c) => [c.tool_name, JSON.parse(c.arguments)])).toEqual([
      ["search", { q: "a" }],
      ["search", { q: "b" }],
    ]);
    expect(said.usage).toMatchObject(usage);
    expect(said.usage?.cost).toBeGreaterThan(0);
    expect(said.is_unfinished).toBe(false);
  });

  test("thinks aloud before it speaks", async () => {
    const opened = await open(provider, [{ reasoning: "Let me see.", signature: "c2ln", text: "yes" }]);
    const seen = await events(opened, opened.request());
    expect(joined(seen, "reasoning")).toBe("Let me see.");
    expect(joined(seen, "delta")).toBe("yes");
    expect(answerIn(seen).text).toBe("yes");
  });

  test("says nothing at all", async () => {
    expect(await ask(provider, [{ text: "" }])).toMatchObject({ text: "", tool_calls: [] });
  });

  test.each([429, 500, 503])("%s is retried", async (status) => {
    const opened = await open(provider, [
      { error: { status, message: "busy", headers: { "retry-after-ms": "5" } } },
      { text: "now" },
    ]);
    const seen = await events(opened, opened.request());
    expect(seen.map((e) => e.kind)).toEqual(["note", "delta", "answer"]);
    expect(seen[0]).toMatchObject({ note: expect.stringMatching(new RegExp(`again in .* s: ${status} busy`)) });
    expect(server.requests[1]?.bytes.equals(server.requests[0]?.bytes as Buffer)).toBe(true);
  });

  test("the error for a refused key names its variable, and the key is repeated nowhere", async () => {
    const message = `Incorrect API key provided: ${KEY}.`;
    const failed = ask(provider, [{ error: { status: 401, message } }]);
    await expect(failed).rejects.toMatchObject({
      code: "model_auth_failed",
      message: expect.stringMatching(/refused the key \(401\).*\*\*\*.*Set [A-Z_]+_API_KEY to a key that it accepts/),
    });
    await expect(failed).rejects.not.toThrow(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["dies", { diesAfter: 4 }],
    ["is closed in good order, too early", { endsAfter: 4 }],
    ["dies before a word", { diesAfter: 0 }],
    ["stalls", { stallsAfter: 4 }],
    ["brings an error", { error: { status: 529, message: "overloaded", code: "overloaded_error", after: 4 } }],
  ] as [string, WireReply][])(
    "a stream that %s is restarted, and the partial answer is discarded",
    async (_, fault) => {
      const text = "a text that takes several pieces to come, so that it can break off within";
      const opened = await open(provider, [{ text, ...fault }, { text }]);
      const seen = await events(opened, opened.request());
      const restart = seen.findIndex((event) => event.kind === "restart");
      expect(joined(seen.slice(restart + 1), "delta")).toBe(text);
      expect(answerIn(seen).text).toBe(text);
      expect(server.requests).toHaveLength(2);
    },
  );

  test("a stop ends it at once, with the reason of the stop", async () => {
    const opened = await open(provider, [
      { text: "a text that takes several pieces to come, all in all", stallsAfter: 3 },
    ]);
    const stop = new AbortController();
    const asked = events(opened, opened.request(), stop.signal);
    setTimeout(() => stop.abort(new Error("somebody else has it")), 50);
    await expect(asked).rejects.toThrow("somebody else has it");
    await expect.poll(() => server.hangUps).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  test("an answer cut at its length, and one that was withheld, are errors, and are billed", async () => {
    await expect(
      ask(provider, [{ text: "half of", finish: "length", usage }], { max_tokens: 5 }),
    ).rejects.toMatchObject({
      code: "output_truncated",
      message: expect.stringContaining("cut at 5 tokens; raise llm_config.max_tokens"),
      usage: { output_tokens: 200 },
    });
    await server.close();
    await expect(ask(provider, [{ text: "", finish: "filter" }])).rejects.toMatchObject({ code: "content_filtered" });
  });

  test.each([
    ["length", "output_truncated", true],
    ["length", "output_truncated", false],
    ["filter", "content_filtered", true],
    ["filter", "content_filtered", false],
    ["other", "answer_incomplete", true],
    ["other", "answer_incomplete", false],
  ] as const)("a partial text is no success: %s is %s and keeps it (stream: %s)", async (finish, code, stream) => {
    await expect(ask(provider, [{ text: "half of it", finish, usage }], { stream })).rejects.toMatchObject({
      code,
      usage: { output_tokens: 200 },
      partial: { text: "half of it", metadata: { finish_reason: expect.any(String) } },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("your own server behind OPENAI_BASE_URL", () => {
  async function own(replies: WireReply[], config: object = {}) {
    server = await startWireServer({ provider: "openai-compatible", replies });
    const settings = parseEnv({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url });
    const llm_config = { model: "openai/qwen", ...config };
    const speaker = modelFor(
      modelsOf(() => settings, timing),
      llm_config,
    );
    const fresh = (): ModelRequest => ({
      system: "You are Ann.",
      messages: [{ role: "user", text: "begin" }],
      tools: offered,
      llm_config,
      turn: { display_name: "Ann", instruction: "begin", context_box_id: "c", output_box_id: "o", own_cards: [] },
    });
    return { speaker, fresh };
  }
  const paths = () => server.requests.map(({ path }) => path);

  test("that only speaks chat completions is remembered after one 404", async () => {
    const { speaker, fresh } = await own([{ text: "unread" }, { text: "yes" }, { text: "again" }]);
    await expect(events({ speaker }, fresh())).rejects.toThrow(/no \/responses \(404\).*llm_config\.api: chat/);
    const request = fresh();
    const bytes = await speaker.serialise(request);
    expect(answerIn(await events({ speaker }, request)).text).toBe("yes");
    expect(answerIn(await events({ speaker }, fresh())).text).toBe("again");
    expect(paths()).toEqual(["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]);
    expect(server.requests[1]?.bytes.equals(Buffer.from(bytes))).toBe(true);
    expect(server.requests[1]?.body).toMatchObject({ model: "qwen", messages: [{ role: "system" }, { role: "user" }] });
  });

  test("is called at once in the way that the profile sets", async () => {
    const { speaker, fresh } = await own([{ text: "yes" }], { api: "chat" });
    expect(answerIn(await events({ speaker }, fresh())).text).toBe("yes");
    expect(paths()).toEqual(["/v1/chat/completions"]);
  });

  test("that has neither is named with what was tried, and can be fixed without a restart", async () => {
    const gone = { error: { status: 404, message: "no such route" } };
    const { speaker, fresh } = await own([gone, gone, gone]);
    await expect(events({ speaker }, fresh())).rejects.toThrow("/responses");
    await expect(events({ speaker }, fresh())).rejects.toMatchObject({
      code: "model_not_found",
      message: expect.stringMatching(
        /^nothing fits at http:.*tried \/responses, then \/chat\/completions.*404.*Check OPENAI_BASE_URL, and llm_config.model \(qwen\)/,
      ),
    });
    await expect(events({ speaker }, fresh())).rejects.toThrow("/responses");
    expect(paths()).toEqual(["/v1/responses", "/v1/chat/completions", "/v1/responses"]);
  });

  test("api: responses also applies to a compatible server, and a provider with only one API refuses it", async () => {
    server = await startWireServer({ provider: "openai", replies: [{ text: "yes" }] });
    const settings = parseEnv({ VLLM_BASE_URL: server.url });
    const models = modelsOf(() => settings, timing);
    const request = (llm_config: ModelRequest["llm_config"]) => ({
      ...{ system: "", messages: [{ role: "user" as const, text: "begin" }], tools: offered, llm_config },
      turn: { display_name: "Ann", instruction: "begin", context_box_id: "c", output_box_id: "o", own_cards: [] },
    });
    const vllm = { model: "vllm/qwen", api: "responses" };
    expect(answerIn(await events({ speaker: modelFor(models, vllm) }, request(vllm))).text).toBe("yes");
    expect(paths()).toEqual(["/v1/responses"]);
    const claude = { model: "claude/x", api: "chat" };
    await expect(events({ speaker: modelFor(models, claude) }, request(claude))).rejects.toMatchObject({
      code: "model_config_invalid",
    });
  });
});

test.each([true, false])("a response that ends as failed is retried, and fails (stream: %s)", async (stream) => {
  const failed = ask("openai", Array(5).fill({ text: "half of it", finish: "failed" }), { stream });
  await expect(failed).rejects.toMatchObject({ code: "model_unavailable" });
  expect(server.requests).toHaveLength(5);
});

test.each([true, false])("a turn that Claude pauses is not finished (stream: %s)", async (stream) => {
  const said = await ask("anthropic", [{ text: "So far.", finish: "pause" }], { stream });
  expect(said).toMatchObject({ text: "So far.", is_unfinished: true, metadata: { finish_reason: "pause_turn" } });
});

describe("retrying", () => {
  const busy = (headers = {}): WireReply => ({ error: { status: 429, message: "busy", headers } });

  test("ends, and says how often it was tried", async () => {
    const failed = ask("openai", Array(9).fill(busy()));
    await expect(failed).rejects.toMatchObject({
      code: "model_unavailable",
      message: "openai: 429 busy after 5 attempts; try again later",
    });
    expect(server.requests).toHaveLength(5);
  });

  test("waits as long as the provider says, but not longer than the limit", async () => {
    const opened = await open("anthropic", [busy({ "retry-after": "0.2" }), { text: "now" }]);
    const start = Date.now();
    await events(opened, opened.request());
    expect(Date.now() - start).toBeGreaterThanOrEqual(195);
    await server.close();
    await expect(ask("anthropic", [busy({ "retry-after": "3600" }), { text: "x" }])).rejects.toMatchObject({
      code: "model_unavailable",
      message: "anthropic: 429 busy; it asks to wait 3600 s",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("ends at once when the turn is stopped during a pause", async () => {
    const opened = await open("openai", [busy({ "retry-after": "60" })]);
    const stop = new AbortController();
    const asked = events(opened, opened.request(), stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 100);
    await expect(asked).rejects.toThrow("stopped");
  });

  test("is not done for a server that does not exist; the error names it", async () => {
    const opened = await open("openai-compatible", []);
    const { port } = new URL(server.url);
    await server.close();
    await expect(events(opened, opened.request())).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(
        new RegExp(`moonshot at http://127.0.0.1:${port}: Cannot connect .*after 5 attempts`),
      ),
    });
  });

  test("is done if the first byte does not arrive, not after an endless answer", async () => {
    const opened = await open(
      "google",
      [{ text: "late", delayMs: 900 }, { text: "now" }],
      {},
      { ...timing, firstByteMs: 400 },
    );
    const seen = await events(opened, opened.request());
    expect(seen[0]).toMatchObject({ note: expect.stringContaining("no answer within 0.4 s") });
    expect(answerIn(seen).text).toBe("now");
    await server.close();
    await expect(
      ask("openai", [{ text: "word ".repeat(200), gapMs: 50 }], {}, { ...timing, callMs: 500 }),
    ).rejects.toMatchObject({
      code: "model_timeout",
      message: "openai: no complete answer within 0.5 s; ask for less at once",
    });
    expect(server.requests).toHaveLength(1);
  });
});

test("a redirect is not followed, because it would pass on the key", async () => {
  const other = await startWireServer({ provider: "anthropic", replies: [{ text: "caught" }] });
  const error = { status: 307, message: "this way", headers: { location: `${other.url}/messages` } };
  await expect(ask("anthropic", Array(5).fill({ error }))).rejects.toMatchObject({ code: "model_unavailable" });
  expect(other.requests).toHaveLength(0);
  await other.close();
});

test("arguments arrive as the model wrote them, and a tool that is not offered cannot be required", async () => {
  const opened = await open("openai", [{ calls: [{ name: "search", arguments: "{bad" }] }], {
    tool_choice: { type: "function", function: { name: "other" } },
  });
  const said = answerIn(await events(opened, opened.request()));
  expect(said.tool_calls).toMatchObject([{ tool_name: "search", arguments: "{bad", provider_call_id: "call_0" }]);
  expect(server.requests[0]?.body).toMatchObject({ tool_choice: "auto", tools: [{ name: "search", strict: false }] });
});
