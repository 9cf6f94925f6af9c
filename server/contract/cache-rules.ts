// What providers keep of a request for the next one, as they publish it: developers.openai.com/api/docs/guides/prompt-caching,
// platform.claude.com/docs (prompt caching), ai.google.dev/gemini-api/docs/caching and platform.moonshot.ai, read on the date
// below. Beside the prices of models.ts. A provider without a line has no published rule, and nothing is predicted for it.
import type { ModelName, ProviderName } from "./models";

export const CACHE_RULES_DATE = "2026-11-25";

export type CacheRule = {
  /** A shorter common beginning is not cached. 0 = no minimum is published. */
  min_tokens: number;
  /** Cached in pieces of so many tokens. */
  step_tokens: number;
  /** Seconds without use after which it may be dropped. null = not published. */
  kept_s: number | null;
  /** `automatic`, or only where a request marks it, whole items at a time. */
  how: "automatic" | "marked";
  /** Which of them the provider puts first. */
  order: "system_first" | "tools_first";
};

type Line = CacheRule & { models: RegExp };

const automatic = (models: RegExp, min_tokens: number, more: Partial<CacheRule> = {}): Line => ({
  ...{ models, min_tokens, step_tokens: 1, kept_s: null, how: "automatic", order: "system_first" },
  ...more,
});
const marked = (models: RegExp, min_tokens: number): Line => ({
  ...{ models, min_tokens, step_tokens: 1, kept_s: 300, how: "marked", order: "tools_first" },
});

/** The first line that fits the model. */
const lines: Partial<Record<ProviderName, Line[]>> = {
  openai: [automatic(/^(gpt-4o|gpt-4\.1|gpt-5|o1|o3|o4)/, 1_024, { step_tokens: 128, kept_s: 600 })],
  anthropic: [
    marked(/^claude-(opus-5|fable-5|mythos-5)/, 512),
    marked(/^claude-opus-4-7/, 2_048),
    marked(/^claude-(opus-4-[56]|haiku-4-5)/, 4_096),
    marked(/^claude-3(-5)?-haiku/, 2_048),
    marked(/^claude-/, 1_024),
  ],
  google: [automatic(/^gemini-2\.5-/, 2_048), automatic(/^gemini-([3-9]|\d\d)/, 4_096)],
  moonshot: [automatic(/^kimi-k2/, 0)],
};

export function cacheRuleOf({ provider, model }: ModelName): CacheRule | null {
  const line = lines[provider]?.find(({ models }) => models.test(model));
  if (!line) return null;
  const { models: _models, ...rule } = line;
  return rule;
}
