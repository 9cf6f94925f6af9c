// Why a request begins otherwise than the one before it, and what of it a cache could have served, in words. Pure.

import { formatCompact } from "@/components/ui/format";
import type { PrefixTotals, PrefixWhy, UncachedWhy } from "@/server/contract/prefix";

export const whyWords: Record<PrefixWhy, string> = {
  first: "the first request",
  same: "the same request again",
  appended: "only added at the end",
  system_changed: "the system prompt changed",
  tools_changed: "the tools changed",
  inserted: "a card was put in before the end",
  removed: "a card was left out",
  replaced: "a card was replaced",
  moved: "cards stand in another order",
};

/** Everything before the end is as it was. */
export const isStable = (why: PrefixWhy): boolean => why === "same" || why === "appended" || why === "first";

export const uncachedWords: Record<UncachedWhy, string> = {
  first: "nothing came before it",
  no_rule: "its provider publishes no rule",
  other_model: "another model answered before",
  too_short: "the common part is too short to be kept",
  too_old: "the request before is too long ago",
};

/** "2.1M of 3.4M input tokens could have been read from a cache. Reported: 0.9M." */
export function totalsText({
  input_tokens,
  predicted_cached,
  reported_cached,
  unreported,
  without_rule,
}: PrefixTotals): string {
  const parts = [
    `${formatCompact(predicted_cached)} of ${formatCompact(input_tokens)} input tokens could have been read from a cache.`,
    `Reported: ${formatCompact(reported_cached)}.`,
    without_rule === 0 ? "" : `${without_rule} without a published rule count as none.`,
    unreported === 0 ? "" : `${unreported} without a report are estimated.`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}
