// The wire servers against the providers' own clients, so that nobody tests against a format that we made up.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, test } from "vitest";
import type { WireReply } from "./reply";
import { startWireServer, type WireProvider, type WireServer } from "./wire-server";

let server: WireServer | undefined;
afterEach(async () => {
  await server?.close();
});

const apiKey = "sk-test-0123456789";
const clients = {
  openai: (baseURL: string) => createOpenAI({ apiKey, baseURL })("gpt-5-mini"),
  "openai-compatible": (baseURL: string) =>
    createOpenAICompatible({ name: "local", apiKey, baseURL, includeUsage: true })("qwen"),
  anthropic: (baseURL: string) => createAnthropic({ apiKey, baseURL })("claude-haiku-4-5"),
  google: (baseURL: string) => createGoogleGenerativeAI({ apiKey, baseURL })("gemini-2.5-flash"),
};
const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hello" }] }];

const reply: WireReply = {
  reasoning: "Let me think about that.",
  signature: "c2ln",
  text: "Grüße, 世界: a text that takes several pieces",
  calls: [
    { name: "search", arguments: { q: "a" }, signature: "c2ln" },
    { name: "search", arguments: { q: "b" } },
  ],
  usage: { input_tokens: 50, output_tokens: 20, cached_input_tokens: 10 },
};

describe.each(Object.keys(clients) as WireProvider[])("%s", (provider) => {
  async function open(replies: WireReply[]) {
    server = await startWireServer({ provider, replies });
    return { server, model: clients[provider](server.url) };
  }

  async function streamed(replies: WireReply[]) {
    const { model, server: wire } = await open(replies);
    const { stream } = await model.doStream({ prompt });
    const parts = [];
    for await (const part of stream as unknown as AsyncIterable<Record<string, unknown> & { type: string }>)
      parts.push(part);
    return { parts, wire };
  }

  test("streams what it was told to say", async () => {
    const { parts, wire } = await streamed([reply]);
    const joined = (type: string) => parts.flatMap((p) => (p.type === type ? [p.delta] : [])).join("");
    expect(parts.filter((p) => p.type === "error")).toEqual([]);
    expect(joined("text-delta")).toBe(reply.text);
    expect(joined("reasoning-delta")).toBe(reply.reasoning);
    expect(parts.flatMap((p) => (p.type === "tool-call" ? [[p.toolName, JSON.parse(String(p.input))]] : []))).toEqual([
      ["search", { q: "a" }],
      ["search", { q: "b" }],
    ]);
    expect(parts.at(-1)).toMatchObject({
      type: "finish",
      finishReason: { unified: "tool-calls" },
      usage: { inputTokens: { total: 50, cacheRead: 10 }, outputTokens: { total: 20 } },
    });
    expect(JSON.stringify(wire.requests[0]?.body)).toContain("hello");
    expect(JSON.stringify(wire.requests[0]?.headers)).toContain(apiKey);
  });

  test("answers whole", async () => {
    const { model } = await open([reply]);
    const { content, finishReason, usage } = await model.doGenerate({ prompt });
    const kinds = content.map((part) => part.type);
    expect(kinds).toEqual(["reasoning", "text", "tool-call", "tool-call"]);
    expect(finishReason.unified).toBe("tool-calls");
    expect(usage.inputTokens.total).toBe(50);
  });

  test("refuses with a status, a body and headers; a list that is too short says so", async () => {
    const { model } = await open([{ error: { status: 429, message: "slow down", headers: { "retry-after": "2" } } }]);
    await expect(model.doGenerate({ prompt })).rejects.toMatchObject({
      statusCode: 429,
      message: "slow down",
      responseHeaders: { "retry-after": "2" },
    });
    await expect(model.doGenerate({ prompt })).rejects.toThrow("no reply is written down for request 2");
  });

  test("dies before a word, and in the middle of one", async () => {
    const { model } = await open([{ diesAfter: 0 }, { ...reply, diesAfter: 3 }]);
    await expect(model.doStream({ prompt })).rejects.toThrow();
    const { stream } = await model.doStream({ prompt });
    const read = async () => {
      for await (const part of stream as unknown as AsyncIterable<{ type: string; error?: unknown }>)
        if (part.type === "error") throw part.error;
    };
    await expect(read()).rejects.toThrow();
  });

  test("notes that somebody hung up on it", async () => {
    const { model, server: wire } = await open([{ ...reply, stallsAfter: 2 }]);
    const stop = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 30);
    await expect(stream.pipeTo(new WritableStream())).rejects.toThrow();
    await expect.poll(() => wire.hangUps).toBe(1);
  });
});
