import { describe, expect, test } from "vitest";
import { cacheRuleOf } from "@/server/contract/cache-rules";
import { commonItems, type SentItem, SYSTEM, TOOLS, whyDiffers } from "./common-prefix";
import { type Predicting, predictCached } from "./predict-cached";

const item = (words: string, more: Partial<SentItem> = {}): SentItem => ({
  ...{ card_id: words, type: "agent.note", words, tokens: 600 },
  ...more,
});
const request = (system: string, tools: string, messages: string): SentItem[] => [
  item(`system ${system}`, { type: SYSTEM }),
  item(`tools ${tools}`, { type: TOOLS }),
  ...[...messages].map((words) => item(words)),
];

test.each([
  ["1", "1", "ab", "1", "1", "ab", 4, "same"],
  ["1", "1", "ab", "1", "1", "abc", 4, "appended"],
  ["1", "1", "ab", "2", "1", "ab", 0, "system_changed"],
  ["1", "1", "ab", "1", "2", "ab", 1, "tools_changed"],
  ["1", "1", "abc", "1", "1", "axbc", 3, "inserted"],
  ["1", "1", "abc", "1", "1", "ac", 3, "removed"],
  ["1", "1", "abc", "1", "1", "a", 3, "removed"],
  ["1", "1", "abc", "1", "1", "axc", 3, "replaced"],
  ["1", "1", "abc", "1", "1", "acb", 3, "moved"],
])("system %s, tools %s, %s to %s, %s, %s", (s1, t1, m1, s2, t2, m2, common, why) => {
  const [a, b] = [request(s1, t1, m1), request(s2, t2, m2)];
  expect(commonItems(a, b)).toBe(common);
  expect(whyDiffers(a, b, common)).toBe(why);
});

describe("predicted", () => {
  const [openai, anthropic] = [
    cacheRuleOf({ provider: "openai", model: "gpt-5-mini" }),
    cacheRuleOf({ provider: "anthropic", model: "claude-sonnet-4-5" }),
  ];
  const predict = (more: Partial<Predicting>) =>
    predictCached({
      ...{ rule: openai, a: request("1", "1", "ab"), b: request("1", "1", "abc"), is_same_model: true },
      ...{ apart_s: 1, partOf: () => 0, ...more },
    });
  test("the whole common beginning, in the provider's pieces", () => {
    // 2,400 tokens, of which 18 pieces of 128 are full.
    expect(predict({})).toEqual({ tokens: 2_304 });
    expect(predict({ rule: anthropic })).toEqual({ tokens: 2_400 });
  });
  test("a part of the first item that differs, unless the provider caches whole items", () => {
    const asked = { b: request("1", "1", "ax"), partOf: () => 100 };
    expect(predict(asked)).toEqual({ tokens: 1_900 - (1_900 % 128) });
    expect(predict({ ...asked, rule: anthropic })).toEqual({ tokens: 1_800 });
  });
  test("a changed system prompt leaves the tools, where they come first", () => {
    const asked = { b: request("2", "1", "ab") };
    expect(predict(asked)).toEqual({ tokens: 0, not_cached: "too_short" });
    const rule = cacheRuleOf({ provider: "anthropic", model: "claude-fable-5" });
    expect(predict({ ...asked, rule })).toEqual({ tokens: 600 });
  });
  test.each([
    [{ rule: null }, null, "no_rule"],
    [{ is_same_model: false }, 0, "other_model"],
    [{ apart_s: 601 }, 0, "too_old"],
    [{ b: request("1", "2", "ab") }, 0, "too_short"],
    [{ rule: cacheRuleOf({ provider: "moonshot", model: "kimi-k2.5" }), b: request("2", "2", "ab") }, 0, "too_short"],
  ] as const)("%j: %s", (more, tokens, not_cached) => expect(predict(more)).toEqual({ tokens, not_cached }));
});

test.each([
  ["openai", "gpt-5.1-codex", 1_024],
  ["anthropic", "claude-opus-4-6", 4_096],
  ["anthropic", "claude-haiku-4-5-20251001", 4_096],
  ["anthropic", "claude-3-haiku", 2_048],
  ["anthropic", "claude-sonnet-4-6", 1_024],
  ["google", "gemini-2.5-pro", 2_048],
  ["google", "gemini-3.5-flash", 4_096],
  ["google", "gemini-2.0-flash", undefined],
  ["vllm", "anything", undefined],
] as const)("%s %s caches from %s tokens", (provider, model, min) =>
  expect(cacheRuleOf({ provider, model })?.min_tokens).toBe(min),
);
