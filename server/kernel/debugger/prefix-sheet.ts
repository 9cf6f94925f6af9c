// The sums under the compared requests, and the rules that were applied to them. Pure.
import { CACHE_RULES_DATE, cacheRuleOf } from "@/server/contract/cache-rules";
import type { PrefixRequest, PrefixSheet } from "@/server/contract/prefix";

export function prefixSheet(requests: PrefixRequest[], total: number): PrefixSheet {
  const sum = (of: (request: PrefixRequest) => number) => requests.reduce((all, one) => all + of(one), 0);
  const models = new Map(requests.flatMap(({ model }) => (model ? [[`${model.provider} ${model.model}`, model]] : [])));
  return {
    requests,
    total,
    totals: {
      input_tokens: sum(({ input_tokens, sent }) => input_tokens ?? sent.tokens),
      predicted_cached: sum(({ predicted_cached }) => predicted_cached ?? 0),
      reported_cached: sum(({ cached_tokens }) => cached_tokens ?? 0),
      unreported: sum(({ input_tokens }) => (input_tokens === undefined ? 1 : 0)),
      without_rule: sum(({ predicted_cached }) => (predicted_cached === null ? 1 : 0)),
    },
    rules: [...models.values()].flatMap((model) => {
      const rule = cacheRuleOf(model);
      return rule ? [{ ...model, ...rule }] : [];
    }),
    rules_date: CACHE_RULES_DATE,
  };
}
