// How the refusals of providers are handled.
import { APICallError } from "ai";
import { expect, test } from "vitest";
import type { Card } from "@/server/contract/card";
import { parseEnv } from "@/server/env";
import type { Endpoint } from "./endpoint";
import { faultOf } from "./faults";
import { nameHeaviest } from "./heaviest-cards";
import { parseLlmConfig } from "./llm-settings";
import { ModelError } from "./model";
import { retryAfterMs } from "./retry-after";
import { scrubberOf } from "./scrub";

const endpoint: Endpoint = {
  provider: "openai",
  base_url: "http://h/v1",
  key: "k",
  key_name: "OPENAI_API_KEY",
  base_url_name: "OPENAI_BASE_URL",
  is_default_url: true,
  api: "responses" as const,
};
const settings = parseLlmConfig({ model: "openai/gpt-4o" });

function refused(statusCode: number, message: string, code?: string, responseHeaders = {}) {
  const responseBody = JSON.stringify({ error: { message, code } });
  return faultOf(
    new APICallError({ message, url: "u", requestBodyValues: {}, statusCode, responseHeaders, responseBody }),
    endpoint,
    settings,
  );
}

const codeOf = (fault: ReturnType<typeof refused>) => (fault.passes ? "passes" : fault.error.code);

test.each([
  // OpenAI, Anthropic twice, Google, vLLM, llama.cpp, Moonshot, a body too large for a gateway.
  [400, "This model's maximum context length is 128000 tokens.", "context_length_exceeded"],
  [400, "prompt is too long: 213462 tokens > 200000 maximum", "invalid_request_error"],
  [400, "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000", "invalid_request_error"],
  [400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "INVALID_ARGUMENT"],
  [400, "the request exceeds the available context size. try increasing the context size", "exceed_context_size_error"],
  [400, "Invalid request: Your request exceeded model token limit: 262144", "invalid_request_error"],
  [413, "Request exceeds the maximum size", "request_too_large"],
])("%s %s is an overflow", (status, message, code) => {
  expect(codeOf(refused(status, message, code))).toBe("context_overflow");
});

test.each([
  [400, "temperature must be below 2", undefined, "model_request_refused"],
  [401, "who?", undefined, "model_auth_failed"],
  [403, "not from here", undefined, "model_auth_failed"],
  [400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", "model_auth_failed"],
  [402, "out of credits", undefined, "quota_exceeded"],
  [429, "You exceeded your current quota", "insufficient_quota", "quota_exceeded"],
  [429, "slow down", "rate_limit_exceeded", "passes"],
  [404, "no such model", undefined, "model_not_found"],
  [408, "late", undefined, "passes"],
  [500, "oh", undefined, "passes"],
  [529, "overloaded", undefined, "passes"],
])("%s %s (%s) is %s", (status, message, code, becomes) => {
  expect(codeOf(refused(status, message, code))).toBe(becomes);
});

test("errors inside a stream are distinguished as well", () => {
  const inside = (error: unknown) => codeOf(faultOf(error, endpoint, settings));
  expect(inside({ type: "error", error: { type: "overloaded_error", message: "busy" } })).toBe("passes");
  expect(inside({ error: { code: "context_length_exceeded", message: "too much" } })).toBe("context_overflow");
  expect(inside({ type: "error", error: { type: "authentication_error", message: "who?" } })).toBe("model_auth_failed");
  expect(inside("something")).toBe("passes");
  expect(inside(new TypeError("terminated"))).toBe("passes");
});

test("a pause is read in milliseconds, in seconds, and as a date", () => {
  const now = Date.parse("2026-11-22T10:00:00Z");
  expect(retryAfterMs({ "retry-after-ms": "1500.4", "retry-after": "9" }, now)).toBe(1_500);
  expect(retryAfterMs({ "retry-after": "2" }, now)).toBe(2_000);
  expect(retryAfterMs({ "retry-after": "0.5" }, now)).toBe(500);
  expect(retryAfterMs({ "retry-after": "Sun, 22 Nov 2026 10:00:07 GMT" }, now)).toBe(7_000);
  expect(retryAfterMs({ "retry-after": "Sun, 22 Nov 2026 09:00:00 GMT" }, now)).toBe(0);
  expect(retryAfterMs({ "retry-after": "soon" }, now)).toBeNull();
  expect(retryAfterMs({}, now)).toBeNull();
});

test("keys are hidden in every encoding, short words that mean no key are not", () => {
  const scrub = scrubberOf(
    parseEnv({
      OPENAI_API_KEY: "sk-a/b+c==0123",
      GEMINI_API_KEY: "sk-a/b+c==0123-longer",
      VLLM_API_KEY: "EMPTY",
      SWITCHYARD_TOKEN: "0123456789abcdef",
      SWITCHYARD_MODEL_KEYS: "https://llm.example=team-key-1",
    }),
  );
  const said = [
    "sk-a/b+c==0123",
    "sk-a/b+c==0123-longer",
    encodeURIComponent("sk-a/b+c==0123"),
    Buffer.from("sk-a/b+c==0123").toString("base64"),
    "0123456789abcdef",
    "team-key-1",
  ];
  expect(scrub(said.join(" "))).toMatch(/^(\*\*\*=* ?){6}$/);
  expect(scrub("EMPTY is no key")).toBe("EMPTY is no key");
});

test("the heaviest cards are named, five at most, the heaviest first", () => {
  const card = (n: number): Card => ({
    card_id: `card_${n}`,
    project_id: "p",
    type: "tool.result",
    role: "tool",
    author_id: "a",
    content: { kind: "text", text: `page ${n}` },
    metadata: {},
    content_hash: "",
    token_count: n * 1_000,
    created_at: "",
  });
  const error = new ModelError("context_overflow", "too much");
  const named = nameHeaviest(error, [1, 7, 3, 4, 5, 6, 2].map(card));
  expect(named.message.split("\n").slice(0, 3)).toEqual([
    "too much",
    "Heaviest cards of 7:",
    "7,000 tokens: page 7 (tool.result card_7)",
  ]);
  expect(named.message).not.toContain("card_2");
  expect(nameHeaviest(new ModelError("model_request_refused", "no"), [card(1)]).message).toBe("no");
});
