// Models: provider names, which one a profile means, what a model costs and its context window.
// The one table of windows and prices, for the kernel's gauges, the worker's costs, and the browser. US dollars
// a million tokens at the providers' standard rates, as published by openai.com/api/pricing, claude.com/pricing,
// ai.google.dev/pricing and platform.moonshot.ai, read on the date below through the models.dev catalogue.
import { asText } from "./as-text";
import { isRecord } from "./is-record";
import type { LlmConfig } from "./profile";

export const PRICES_DATE = "2026-07-02";

/** Wire formats. */
export type ModelClient = "openai" | "anthropic" | "google" | "compatible";

export const providerClients = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  moonshot: "compatible",
  openrouter: "compatible",
  ollama: "compatible",
  vllm: "compatible",
  "openai-compatible": "compatible",
} as const satisfies Record<string, ModelClient>;

export type ProviderName = keyof typeof providerClients;

export const providerNames = Object.keys(providerClients) as ProviderName[];

/** Other spellings in use. */
const aliases: Record<string, ProviderName> = {
  gemini: "google",
  "google-ai-studio": "google",
  claude: "anthropic",
  moonshotai: "moonshot",
  "ollama-chat": "ollama",
  "hosted-vllm": "vllm",
  "openai-like": "openai-compatible",
  "custom-openai": "openai-compatible",
};

/** Null for an unknown name. */
export function providerNamed(name: string): ProviderName | null {
  const plain = name.trim().toLowerCase().replaceAll("_", "-");
  return Object.hasOwn(providerClients, plain) ? (plain as ProviderName) : (aliases[plain] ?? null);
}

export type ModelName = { provider: ProviderName; model: string };
/** Why a configuration names no callable model. */
export type ModelFault = { field: "provider" | "model"; message: string };

/** The model that a profile's llm_config names, in any of the notations in use (`gemini/...`, `custom_llm_provider`). */
export function modelNamed(config: LlmConfig): ModelName | { fault: ModelFault } {
  const options = isRecord(config.provider_options) ? config.provider_options : {};
  const hasUrl = [config, options].some((given) => isSet(given.base_url) || isSet(given.api_base));
  const asked = config.model?.trim() ?? "";
  const slash = asked.indexOf("/");
  const prefix = slash > 0 ? providerNamed(asked.slice(0, slash)) : null;
  const explicit = options.custom_llm_provider ?? config.provider;
  const isTold = isSet(explicit);
  const told = isTold ? providerNamed(asText(explicit)) : prefix;
  if (told === null)
    return isTold
      ? fault("provider", `${asText(explicit)} is not a known provider; write one of ${listed()}`)
      : fault("provider", `missing${asked ? ` (model ${asked})` : ""}; write one of ${listed()}`);
  // Others write "openai" with their own address for an OpenAI-compatible server.
  const provider = told === "openai" && hasUrl ? "openai-compatible" : told;
  // A prefix that repeats the provider is not part of the model's name; a router's models keep theirs.
  const model = prefix !== null && (!isTold || prefix === provider) ? asked.slice(slash + 1) : asked;
  if (model === "") return fault("model", `missing; name one of ${provider}'s models`);
  if (isTold && prefix !== null && prefix !== provider && providerClients[provider] !== "compatible")
    return fault("model", `${asked} is a model of ${prefix}, but the provider is ${provider}; remove one of the two`);
  return { provider, model };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const fault = (field: ModelFault["field"], message: string) => ({ fault: { field, message } });

const listed = () => [...providerNames, "script"].join(", ");

/** Null if the profile names no callable model: a script, or a mistake. */
export function modelOf(config: LlmConfig): ModelName | null {
  if (config.provider === "script") return null;
  const named = modelNamed(config);
  return "fault" in named ? null : named;
}

/**
 * Tokens of the context window: the profile's value wins, then the table. Null = unknown; never guess a number instead.
 */
export function windowOf(config: LlmConfig): number | null {
  const options = isRecord(config.provider_options) ? config.provider_options : {};
  const given = config.context_window ?? options.context_window;
  if (typeof given === "number") return given;
  const named = modelOf(config);
  return named === null ? null : (entryOf(named)?.window ?? null);
}

/** As the provider reports it: input includes cache reads and writes. */
export type BilledUsage = {
  input_tokens?: number;
  output_tokens?: number;
  cached_input_tokens?: number;
  cache_write_tokens?: number;
};

/** US dollars, six decimals; undefined if the model is not in the table or no usage was reported. */
export function costOf(named: ModelName, usage: BilledUsage): number | undefined {
  const entry = entryOf(named);
  const { input_tokens, output_tokens, cached_input_tokens = 0, cache_write_tokens = 0 } = usage;
  if (!entry || input_tokens === undefined || output_tokens === undefined) return undefined;
  const rates = entry.above && input_tokens > entry.above.tokens ? entry.above : entry;
  const written = rates.write ?? rates.in;
  const fresh = Math.max(0, input_tokens - cached_input_tokens - cache_write_tokens);
  const dollars =
    (fresh * rates.in + cached_input_tokens * rates.cached + cache_write_tokens * written + output_tokens * rates.out) /
    M;
  return Math.round(dollars * M) / M;
}

/** Without `write`, a cache write costs as much as `in`. */
type Rates = { in: number; cached: number; out: number; write?: number };
/** A request with more than `above` input tokens is billed at the second rates entirely. */
type Model = Rates & { window: number; above?: { tokens: number } & Rates };

const flat = (input: number, cached: number, out: number, window: number): Model => ({
  in: input,
  cached,
  out,
  window,
});
const tiered = (low: Model, tokens: number, input: number, cached: number, out: number): Model => ({
  ...low,
  above: { tokens, in: input, cached, out },
});
/** Anthropic's default cache, for five minutes: a quarter more than the input. */
const cacheable = (input: number, cached: number, out: number, window: number): Model => ({
  ...flat(input, cached, out, window),
  write: input * 1.25,
});

const M = 1_000_000;
const Mi = 1_048_576;

const models: Partial<Record<ProviderName, Record<string, Model>>> = {
  openai: {
    "gpt-4.1": flat(2, 0.5, 8, 1_047_576),
    "gpt-4.1-mini": flat(0.4, 0.1, 1.6, 1_047_576),
    "gpt-4.1-nano": flat(0.1, 0.025, 0.4, 1_047_576),
    "gpt-4o": flat(2.5, 1.25, 10, 128_000),
    "gpt-4o-mini": flat(0.15, 0.075, 0.6, 128_000),
    "gpt-5": flat(1.25, 0.125, 10, 400_000),
    "gpt-5-mini": flat(0.25, 0.025, 2, 400_000),
    "gpt-5-nano": flat(0.05, 0.005, 0.4, 400_000),
    "gpt-5-codex": flat(1.25, 0.125, 10, 400_000),
    "gpt-5.1": flat(1.25, 0.125, 10, 400_000),
    "gpt-5.1-codex": flat(1.25, 0.125, 10, 400_000),
    "gpt-5.2": flat(1.75, 0.175, 14, 400_000),
    "gpt-5.2-codex": flat(1.75, 0.175, 14, 400_000),
    "gpt-5.3-codex": flat(1.75, 0.175, 14, 400_000),
    "gpt-5.4": tiered(flat(2.5, 0.25, 15, 1_050_000), 272_000, 5, 0.5, 22.5),
    "gpt-5.4-mini": flat(0.75, 0.075, 4.5, 400_000),
    "gpt-5.4-nano": flat(0.2, 0.02, 1.25, 400_000),
    "gpt-5.5": tiered(flat(5, 0.5, 30, 1_050_000), 272_000, 10, 1, 45),
    o1: flat(15, 7.5, 60, 200_000),
    o3: flat(2, 0.5, 8, 200_000),
    "o3-mini": flat(1.1, 0.55, 4.4, 200_000),
    "o4-mini": flat(1.1, 0.275, 4.4, 200_000),
  },
  anthropic: {
    "claude-3-haiku": { ...flat(0.25, 0.03, 1.25, 200_000), write: 0.3 },
    "claude-3-5-sonnet": cacheable(3, 0.3, 15, 200_000),
    "claude-3-7-sonnet": cacheable(3, 0.3, 15, 200_000),
    "claude-haiku-4-5": cacheable(1, 0.1, 5, 200_000),
    "claude-sonnet-4": cacheable(3, 0.3, 15, 200_000),
    "claude-sonnet-4-0": cacheable(3, 0.3, 15, 200_000),
    "claude-sonnet-4-5": cacheable(3, 0.3, 15, 200_000),
    "claude-sonnet-4-6": cacheable(3, 0.3, 15, M),
    "claude-sonnet-5": cacheable(2, 0.2, 10, M),
    "claude-opus-4": cacheable(15, 1.5, 75, 200_000),
    "claude-opus-4-0": cacheable(15, 1.5, 75, 200_000),
    "claude-opus-4-1": cacheable(15, 1.5, 75, 200_000),
    "claude-opus-4-5": cacheable(5, 0.5, 25, 200_000),
    "claude-opus-4-6": cacheable(5, 0.5, 25, M),
    "claude-opus-4-7": cacheable(5, 0.5, 25, M),
    "claude-opus-4-8": cacheable(5, 0.5, 25, M),
    "claude-fable-5": cacheable(10, 1, 50, M),
  },
  google: {
    "gemini-2.0-flash": flat(0.1, 0.025, 0.4, Mi),
    "gemini-2.5-flash": flat(0.3, 0.03, 2.5, Mi),
    "gemini-2.5-flash-lite": flat(0.1, 0.01, 0.4, Mi),
    "gemini-2.5-pro": tiered(flat(1.25, 0.125, 10, Mi), 200_000, 2.5, 0.25, 15),
    "gemini-3-flash-preview": flat(0.5, 0.05, 3, Mi),
    "gemini-3-pro-preview": tiered(flat(2, 0.2, 12, Mi), 200_000, 4, 0.4, 18),
    "gemini-3.1-flash-lite": flat(0.25, 0.025, 1.5, Mi),
    "gemini-3.1-flash-lite-preview": flat(0.25, 0.025, 1.5, Mi),
    "gemini-3.1-pro-preview": tiered(flat(2, 0.2, 12, Mi), 200_000, 4, 0.4, 18),
    "gemini-3.5-flash": flat(1.5, 0.15, 9, Mi),
  },
  moonshot: {
    "kimi-k2-0905-preview": flat(0.6, 0.15, 2.5, 262_144),
    "kimi-k2-thinking": flat(0.6, 0.15, 2.5, 262_144),
    "kimi-k2-thinking-turbo": flat(1.15, 0.15, 8, 262_144),
    "kimi-k2-turbo-preview": flat(2.4, 0.6, 10, 262_144),
    "kimi-k2.5": flat(0.6, 0.1, 3, 262_144),
    "kimi-k2.6": flat(0.95, 0.16, 4, 262_144),
  },
};

/** A dated snapshot costs what its model costs; gpt-5-mini is not a snapshot of gpt-5. */
function entryOf({ provider, model }: ModelName): Model | undefined {
  const table = models[provider] ?? {};
  const undated = model.replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return [model, undated].flatMap((name) => (Object.hasOwn(table, name) ? [table[name]] : []))[0];
}
