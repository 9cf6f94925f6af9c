// What models cost and how much they hold: the one table. US dollars a million tokens at the providers' standard rates, as
// published by openai.com/api/pricing, claude.com/pricing, ai.google.dev/pricing and platform.moonshot.ai, read on the date
// below through the models.dev catalogue. A gateway may bill otherwise; a model that is not here has no cost.
import type { ModelUsage } from "./model";
import type { ProviderName } from "./providers";

export const PRICES_DATE = "2026-07-02";

/** Above `above` input tokens a request is billed at the second rates, whole. */
type Rates = { in: number; cached: number; out: number };
type Price = Rates & { window: number; above?: { tokens: number } & Rates };

const flat = (input: number, cached: number, out: number, window: number): Price => ({
  in: input,
  cached,
  out,
  window,
});
const tiered = (low: Price, tokens: number, input: number, cached: number, out: number): Price => ({
  ...low,
  above: { tokens, in: input, cached, out },
});

const M = 1_000_000;
const Mi = 1_048_576;

const prices: Partial<Record<ProviderName, Record<string, Price>>> = {
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
    "claude-3-haiku": flat(0.25, 0.03, 1.25, 200_000),
    "claude-3-5-sonnet": flat(3, 0.3, 15, 200_000),
    "claude-3-7-sonnet": flat(3, 0.3, 15, 200_000),
    "claude-haiku-4-5": flat(1, 0.1, 5, 200_000),
    "claude-sonnet-4": flat(3, 0.3, 15, 200_000),
    "claude-sonnet-4-0": flat(3, 0.3, 15, 200_000),
    "claude-sonnet-4-5": flat(3, 0.3, 15, 200_000),
    "claude-sonnet-4-6": flat(3, 0.3, 15, M),
    "claude-sonnet-5": flat(2, 0.2, 10, M),
    "claude-opus-4": flat(15, 1.5, 75, 200_000),
    "claude-opus-4-0": flat(15, 1.5, 75, 200_000),
    "claude-opus-4-1": flat(15, 1.5, 75, 200_000),
    "claude-opus-4-5": flat(5, 0.5, 25, 200_000),
    "claude-opus-4-6": flat(5, 0.5, 25, M),
    "claude-opus-4-7": flat(5, 0.5, 25, M),
    "claude-opus-4-8": flat(5, 0.5, 25, M),
    "claude-fable-5": flat(10, 1, 50, M),
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

/** US dollars, six decimals; undefined for a model that the table does not hold, or usage that was not reported. */
export function costOf(provider: ProviderName, model: string, usage: ModelUsage): number | undefined {
  const price = priceOf(provider, model);
  const { input_tokens, output_tokens, cached_input_tokens = 0 } = usage;
  if (!price || input_tokens === undefined || output_tokens === undefined) return undefined;
  const rates = price.above && input_tokens > price.above.tokens ? price.above : price;
  const fresh = Math.max(0, input_tokens - cached_input_tokens);
  const dollars = (fresh * rates.in + cached_input_tokens * rates.cached + output_tokens * rates.out) / M;
  return Math.round(dollars * M) / M;
}

/** Tokens that a model holds; undefined when the table does not know. */
export const windowOf = (provider: ProviderName, model: string): number | undefined => priceOf(provider, model)?.window;

/** A dated snapshot costs what its model costs; gpt-5-mini is not a snapshot of gpt-5. */
function priceOf(provider: ProviderName, model: string): Price | undefined {
  const table = prices[provider] ?? {};
  const undated = model.replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return [model, undated].flatMap((name) => (Object.hasOwn(table, name) ? [table[name]] : []))[0];
}
