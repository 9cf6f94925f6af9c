// What of a request its provider's cache could have served, by the published rule. Pure.
import type { CacheRule } from "@/server/contract/cache-rules";
import type { UncachedWhy } from "@/server/contract/prefix";
import { commonItems, inOrder, type SentItem, tokensOf } from "./common-prefix";

export type Predicting = {
  rule: CacheRule | null;
  /** The request before, if it went to the same model. */
  a: readonly SentItem[];
  b: readonly SentItem[];
  is_same_model: boolean;
  /** Seconds from the end of the one to the start of the other. */
  apart_s: number;
  /** Tokens that the first differing item of two requests begins alike with. */
  partOf: (one: SentItem, other: SentItem) => number;
};

export function predictCached(asked: Predicting): { tokens: number | null; not_cached?: UncachedWhy } {
  const { rule } = asked;
  if (rule === null) return { tokens: null, not_cached: "no_rule" };
  if (!asked.is_same_model) return { tokens: 0, not_cached: "other_model" };
  if (rule.kept_s !== null && asked.apart_s > rule.kept_s) return { tokens: 0, not_cached: "too_old" };
  const [a, b] = [inOrder(asked.a, rule.order), inOrder(asked.b, rule.order)];
  const common = commonItems(a, b);
  const [one, other] = [a[common], b[common]];
  // What is marked is cached up to the end of an item, and no further.
  const part = rule.how === "automatic" && one && other ? asked.partOf(one, other) : 0;
  const alike = tokensOf(b.slice(0, common)) + part;
  if (alike < rule.min_tokens || alike === 0) return { tokens: 0, not_cached: "too_short" };
  return { tokens: alike - (alike % rule.step_tokens) };
}
