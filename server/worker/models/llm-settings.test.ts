import { expect, test } from "vitest";
import { costOf, windowOf } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";
import { parseEnv } from "@/server/env";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { callOptions } from "./call-options";
import { endpointOf } from "./endpoint";
import { parseLlmConfig } from "./llm-settings";
import type { ModelRequest } from "./model";
import { providerOf } from "./providers";

const names = (config: LlmConfig) => {
  const { provider, model } = parseLlmConfig(config);
  return `${provider} ${model}`;
};

test("the common notations give one provider and one model", () => {
  expect(names({ model: "gemini/gemini-3-flash-preview" })).toBe("google gemini-3-flash-preview");
  expect(
    names({
      model: "gemini/gemini-3-flash-preview",
      provider: "gemini",
      provider_options: { custom_llm_provider: "gemini" },
    }),
  ).toBe("google gemini-3-flash-preview");
  expect(names({ provider: "gemini", model: "gemini-3-flash-preview" })).toBe("google gemini-3-flash-preview");
  expect(names({ model: "moonshot/kimi-k2.5" })).toBe("moonshot kimi-k2.5");
  expect(names({ model: "openrouter/google/gemini-2.5-pro" })).toBe("openrouter google/gemini-2.5-pro");
  expect(names({ provider: "openrouter", model: "google/gemini-2.5-pro" })).toBe("openrouter google/gemini-2.5-pro");
  expect(names({ model: "ollama_chat/qwen3:8b" })).toBe("ollama qwen3:8b");
  expect(names({ provider: "vLLM", model: "Qwen/Qwen3-32B" })).toBe("vllm Qwen/Qwen3-32B");
  expect(names({ model: "openai/qwen3", api_base: "http://h/v1" })).toBe("openai-compatible qwen3");
  expect(names({ provider: "openai-compatible", model: "openai/gpt-oss-20b", base_url: "http://h/v1" })).toBe(
    "openai-compatible openai/gpt-oss-20b",
  );
  expect(names({ provider_options: { custom_llm_provider: "openai", base_url: "http://h/v1" }, model: "m" })).toBe(
    "openai-compatible m",
  );
});

test("settings are read from the config and its provider_options; null is not set", () => {
  const config = {
    model: "openai/gpt-5",
    temperature: null,
    max_completion_tokens: 9,
    stream: false,
    stop: "END",
    tool_choice: { type: "function", function: { name: "search" } },
    provider_options: { reasoning_effort: "low" },
    colour: "blue",
  };
  expect(parseLlmConfig(config)).toEqual({
    provider: "openai",
    model: "gpt-5",
    stream: false,
    max_tokens: 9,
    stop: ["END"],
    tool_choice: { tool_name: "search" },
    reasoning_effort: "low",
  });
});

test("keys that nothing reads give a warning when the profile is loaded", () => {
  const known = { model: "openai/m", temperature: 1, provider_options: {}, reasoning_effort: "low", stream: true };
  expect(parseProfile({ name: "A", llm_config: known }).warnings).toEqual([]);
  expect(parseProfile({ name: "A", llm_config: { ...known, colour: "blue" } }).warnings).toEqual([
    'unknown key "llm_config.colour" is kept but has no effect',
  ]);
});

test.each([
  [{}, "llm_config.provider: missing; write one of openai, anthropic, google,"],
  [{ model: "gpt-5" }, "llm_config.provider: missing (model gpt-5); write one of"],
  [{ provider: "skynet", model: "t" }, "llm_config.provider: skynet is not a known provider; write one of"],
  [{ provider: "openai" }, "llm_config.model: missing; name one of openai's models"],
  [
    { provider: "openai", model: "gemini/gemini-3" },
    "gemini/gemini-3 is a model of google, but the provider is openai",
  ],
  [{ model: "openai/m", temperature: "hot" }, "llm_config.temperature: write a number from 0 to 2"],
  [{ model: "openai/m", reasoning_effort: "lots" }, "llm_config.reasoning_effort: write one of none, minimal,"],
  [{ model: "openai/m", tool_choice: "search" }, "llm_config.tool_choice: write auto, none, required, or"],
  [{ model: "openai/m", stream: "yes" }, "llm_config.stream: write true or false"],
])("%j is refused with the remedy", (config, message) => {
  expect(() => parseLlmConfig(config as LlmConfig)).toThrow(message);
});

const endpoint = (config: LlmConfig, source: Record<string, string>) =>
  endpointOf(parseLlmConfig(config), parseEnv(source));

test("a key goes to the host it was set for, and a profile's base_url only where the environment allows", () => {
  const keys = { MOONSHOT_API_KEY: "moon", OPENAI_API_KEY: "open", VLLM_BASE_URL: "http://10.0.0.4:8000" };
  const kimi = (base_url: string) => ({ model: "moonshot/kimi", base_url });
  expect(endpoint({ model: "moonshot/kimi" }, keys)).toMatchObject({
    base_url: "https://api.moonshot.ai/v1",
    key: "moon",
  });
  expect(endpoint({ model: "vllm/m" }, keys)).toMatchObject({ base_url: "http://10.0.0.4:8000/v1", key: null });
  expect(endpoint(kimi("https://api.moonshot.ai/v2/"), keys)).toMatchObject({
    base_url: "https://api.moonshot.ai/v2",
    key: "moon",
  });
  expect(() => endpoint(kimi("https://evil.example/v1"), keys)).toThrow(
    "https://evil.example is not an allowed host for models; add it to SWITCHYARD_MODEL_URLS",
  );
  // Allowed, and still without a key that belongs to another host.
  const allowed = { ...keys, SWITCHYARD_MODEL_URLS: "https://evil.example" };
  expect(endpoint(kimi("https://evil.example/v1"), allowed)).toMatchObject({ key: null });
  const keyed = { ...keys, SWITCHYARD_MODEL_KEYS: "https://llm.example=k1" };
  expect(
    endpoint({ provider: "openai_compatible", model: "m", base_url: "https://llm.example/v1" }, keyed),
  ).toMatchObject({
    provider: "openai-compatible",
    base_url: "https://llm.example/v1",
    key: "k1",
  });
  for (const trick of [
    "https://llm.example@evil.example/v1",
    "https://llm.example.evil.example/v1",
    "//llm.example/v1",
    "file:///etc",
  ])
    expect(() => endpoint({ provider: "vllm", model: "m", base_url: trick }, keyed)).toThrow("llm_config.base_url");
  expect(() => endpoint({ provider: "anthropic", model: "m", base_url: "https://llm.example" }, keyed)).toThrow(
    "anthropic has a fixed address; leave it out, set ANTHROPIC_BASE_URL",
  );
});

test("a missing setting is named", () => {
  expect(() => endpoint({ model: "gemini/m" }, {})).toThrow(
    "google needs a key; set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY in the worker's environment",
  );
  expect(() => endpoint({ model: "vllm/m" }, {})).toThrow("vllm has no address; set VLLM_BASE_URL");
  expect(() => endpoint({ provider: "openai-compatible", model: "m" }, {})).toThrow("llm_config.base_url: ");
  expect(endpoint({ model: "ollama/m" }, {})).toMatchObject({ base_url: "http://127.0.0.1:11434/v1", key: null });
  expect(endpoint({ model: "gemini/m" }, { GEMINI_API_KEY: "g" })).toMatchObject({
    key: "g",
    key_name: "GEMINI_API_KEY",
  });
});

test("effort is written in each provider's own terms", () => {
  const asked = (model: string, reasoning_effort: string) => {
    const llm_config = { model, reasoning_effort };
    const request = { system: "", messages: [], tools: [], llm_config } as unknown as ModelRequest;
    const settings = parseLlmConfig(llm_config);
    return callOptions(request, settings, providerOf(settings.provider).client).providerOptions;
  };
  expect(asked("openai/gpt-5", "low")).toEqual({ openai: { store: false, reasoningEffort: "low" } });
  expect(asked("gemini/gemini-3-flash-preview", "none")).toEqual({
    google: { thinkingConfig: { thinkingLevel: "minimal", includeThoughts: false } },
  });
  expect(asked("gemini/gemini-2.5-flash", "none")).toMatchObject({ google: { thinkingConfig: { thinkingBudget: 0 } } });
  // The lowest setting it has: these models always think.
  expect(asked("gemini/gemini-2.5-pro", "none")).toMatchObject({ google: { thinkingConfig: { thinkingBudget: 128 } } });
  expect(asked("gemini/gemini-3-pro-preview", "none")).toMatchObject({
    google: { thinkingConfig: { thinkingLevel: "low" } },
  });
  expect(asked("anthropic/claude-sonnet-4-5-20250929", "low")).toEqual({
    anthropic: { toolStreaming: false, thinking: { type: "enabled", budgetTokens: 1_024 } },
  });
  expect(asked("anthropic/claude-opus-4-6", "max")).toMatchObject({
    anthropic: { thinking: { type: "adaptive" }, effort: "max" },
  });
  expect(asked("anthropic/claude-sonnet-5", "none")).toMatchObject({ anthropic: { thinking: { type: "disabled" } } });
  expect(asked("openrouter/x/y", "high")).toEqual({ openaiCompatible: { reasoningEffort: "high" } });
});

test("prices: snapshots cost what their model costs, tiers count the whole request, unknown is no price", () => {
  const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 };
  expect(costOf({ provider: "anthropic", model: "claude-sonnet-4-5-20250929" }, usage)).toBe(18);
  expect(costOf({ provider: "openai", model: "gpt-5-2025-08-07" }, usage)).toBe(11.25);
  expect(costOf({ provider: "openai", model: "gpt-5-mini" }, usage)).toBe(2.25);
  expect(costOf({ provider: "google", model: "gemini-2.5-pro" }, { ...usage, input_tokens: 200_000 })).toBe(10.25);
  expect(costOf({ provider: "google", model: "gemini-2.5-pro" }, { ...usage, input_tokens: 200_001 })).toBe(15.500003);
  expect(
    costOf({ provider: "google", model: "gemini-3-flash-preview" }, { ...usage, cached_input_tokens: 1_000_000 }),
  ).toBe(3.05);
  expect(costOf({ provider: "openai", model: "gpt-5-ultra" }, usage)).toBeUndefined();
  expect(costOf({ provider: "ollama", model: "gpt-5" }, usage)).toBeUndefined();
  expect(costOf({ provider: "openai", model: "toString" }, usage)).toBeUndefined();
  expect(costOf({ provider: "openai", model: "gpt-5" }, { input_tokens: 3 })).toBeUndefined();
  expect(windowOf({ model: "openai/gpt-4o" })).toBe(128_000);
});
