// How far each request begins like the one before it, and what of that a provider's cache could have served.
import type { PairChange } from "./box-diff/pair-change";
import type { CacheRule } from "./cache-rules";
import type { Weight } from "./handover-diff";
import type { CardLine } from "./line";
import type { ModelName } from "./models";

/**
 * `first`: nothing to compare it with. `same`: all of it. `appended`: only added at the end. Otherwise what differs first: the
 * system prompt, the tool list, a card that was put in before the end, left out, replaced, or moved.
 */
export const prefixWhys = [
  "first",
  "same",
  "appended",
  "system_changed",
  "tools_changed",
  "inserted",
  "removed",
  "replaced",
  "moved",
] as const;
export type PrefixWhy = (typeof prefixWhys)[number];

/** Why nothing is predicted to be cached: the provider publishes no rule, or the rule says so. */
export const uncachedWhys = ["first", "no_rule", "other_model", "too_short", "too_old"] as const;
export type UncachedWhy = (typeof uncachedWhys)[number];

export type PrefixRequest = {
  step_id: string;
  ordinal: number;
  agent_turn_id: string;
  headcode: string;
  /** Of a fork: the place of its branch. */
  task_index?: number;
  request_box_id: string;
  started_at: string;
  /** Absent for scripted models and for profiles that name none. */
  model?: ModelName;
  /** Items: system prompt, tools, and one for each card. Tokens are estimated. */
  sent: Weight;
  /** The step that it is compared with. */
  against?: string;
  /** Whole items that both begin with. */
  common: Weight;
  /** Estimated tokens that the first differing item has in common with the other, from its beginning. */
  common_part: number;
  why: PrefixWhy;
  /** The first item that differs, at this place in both. `a` is of the other request. */
  differs?: { at: number; a?: CardLine; b?: CardLine; change?: PairChange };
  /** Estimated. null = no rule is published. */
  predicted_cached: number | null;
  not_cached?: UncachedWhy;
  /** As the provider reported it. */
  input_tokens?: number;
  cached_tokens?: number;
};

export type PrefixTotals = {
  /** Reported, and estimated where nothing was. */
  input_tokens: number;
  /** Of requests with a rule. */
  predicted_cached: number;
  reported_cached: number;
  /** Requests whose provider reported no usage, and those without a published rule. */
  unreported: number;
  without_rule: number;
};

export type PrefixSheet = {
  /** Oldest first. */
  requests: PrefixRequest[];
  /** How many there are, of which `requests` are the newest. */
  total: number;
  /** Of a fork: what all branches begin with. */
  shared?: Weight;
  totals: PrefixTotals;
  /** The rules that were applied, as of `rules_date`. */
  rules: (ModelName & CacheRule)[];
  rules_date: string;
};
