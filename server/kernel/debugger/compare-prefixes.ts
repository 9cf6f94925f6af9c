// Requests compared with the ones before them: what they begin with in common, why no more, and what a cache could have served.
import type { PairChange } from "@/server/contract/box-diff/pair-change";
import { cacheRuleOf } from "@/server/contract/cache-rules";
import { type ModelName, modelOf } from "@/server/contract/models";
import type { PrefixRequest } from "@/server/contract/prefix";
import type { Reader } from "../reader";
import { findBodies } from "../roster/read-bodies";
import { commonItems, type SentItem, tokensOf, whyDiffers } from "./common-prefix";
import { predictCached } from "./predict-cached";
import { missingLine, readCardLines } from "./read-card-lines";
import { readChanges } from "./read-changes";
import { type PartOf, readCommonParts } from "./read-common-parts";
import { readItems } from "./read-items";
import type { SentRequest } from "./read-sent-requests";

/** `before`: the place of the request that each is compared with. null = with none. */
export type ComparePrefixes = {
  project_id: string;
  requests: readonly SentRequest[];
  before: (at: number) => number | null;
};

type Compared = { request: SentRequest; items: readonly SentItem[]; model: ModelName | null } & {
  against?: SentRequest & { items: readonly SentItem[]; model: ModelName | null };
  common: number;
};

export async function comparePrefixes(reader: Reader, input: ComparePrefixes): Promise<PrefixRequest[]> {
  const { project_id, requests } = input;
  const box_ids = requests.flatMap(({ request_box_id }) => request_box_id ?? []);
  const profile_box_ids = [...new Set(requests.map(({ profile_box_id }) => profile_box_id))];
  const items = await readItems(reader, { project_id, box_ids });
  const bodies = await findBodies(reader, { project_id, profile_box_ids });
  const sides = requests.map((request) => ({
    ...request,
    items: items.get(request.request_box_id ?? "") ?? [],
    model: modelOf(bodies.get(request.profile_box_id)?.llm_config ?? {}),
  }));
  const compared = sides.map(({ items, model, ...request }, at): Compared => {
    const against = sides[input.before(at) ?? -1];
    return { request, items, model, ...(against && { against }), common: commonItems(against?.items ?? [], items) };
  });
  const differing = compared.flatMap(({ against, items, common }): [SentItem, SentItem][] => {
    const [one, other] = [against?.items[common], items[common]];
    return one && other ? [[one, other]] : [];
  });
  const partOf = await readCommonParts(reader, { project_id, pairs: differing });
  const card_ids = differing.flatMap(([one, other]) => [one.card_id, other.card_id]);
  const dropped = compared.flatMap(({ against, items, common }) =>
    items[common] ? [] : (against?.items[common]?.card_id ?? []),
  );
  const pairs = compared.toReversed().flatMap((one) => changedPair(one) ?? []);
  const lines = await readCardLines(reader, { project_id, card_ids: [...card_ids, ...dropped] });
  const changes = await readChanges(reader, { project_id, pairs });
  const changeOf = new Map(pairs.map((pair, i) => [keyOf(pair), changes[i]]));
  const lineOf = (item: SentItem | undefined) => item && (lines.get(item.card_id) ?? missingLine(item.card_id));
  return compared.map((one) => told(one, { partOf, lineOf, changeOf }));
}

/** Two cards that do not stand for each other are not compared word by word. */
function changedPair({ against, items, common }: Compared): { a: string; b: string } | undefined {
  if (!against) return undefined;
  const why = whyDiffers(against.items, items, common);
  const [one, other] = [against.items[common], items[common]];
  const isChange = why === "system_changed" || why === "tools_changed" || why === "replaced";
  return isChange && one && other ? { a: one.card_id, b: other.card_id } : undefined;
}

/** One card may stand against several: of siblings each is compared with the first. */
const keyOf = ({ a, b }: { a: string; b: string }): string => `${a} ${b}`;

type Facts = {
  partOf: PartOf;
  lineOf: (item: SentItem | undefined) => ReturnType<typeof missingLine> | undefined;
  changeOf: ReadonlyMap<string, PairChange | undefined>;
};

function told(
  { request, items, model, against, common }: Compared,
  { partOf, lineOf, changeOf }: Facts,
): PrefixRequest {
  const [one, other] = [against?.items[common], items[common]];
  const [a, b] = [lineOf(one), lineOf(other)];
  const why = against ? whyDiffers(against.items, items, common) : "first";
  const rule = model && cacheRuleOf(model);
  const predicted = against
    ? predictCached({
        ...{ rule, a: against.items, b: items, partOf },
        is_same_model: against.model?.provider === model?.provider && against.model?.model === model?.model,
        apart_s: (Date.parse(request.started_at) - Date.parse(against.ended_at ?? against.started_at)) / 1_000,
      })
    : { tokens: rule ? 0 : null, not_cached: rule ? ("first" as const) : ("no_rule" as const) };
  const pair = changedPair({ request, items, model, against, common });
  const change = pair && changeOf.get(keyOf(pair));
  // The scripted model counts for itself: no provider reported that.
  const usage = request.usage?.is_scripted ? null : request.usage;
  const sent = request.request_tokens ?? tokensOf(items);
  const most = usage?.input_tokens ?? sent;
  return {
    step_id: request.step_id,
    ordinal: request.ordinal,
    agent_turn_id: request.agent_turn_id,
    headcode: request.headcode,
    ...(request.task_index !== null && { task_index: request.task_index }),
    request_box_id: request.request_box_id ?? "",
    started_at: new Date(request.started_at).toISOString(),
    ...(model && { model }),
    sent: { cards: items.length, tokens: sent },
    ...(against && { against: against.step_id }),
    common: { cards: common, tokens: tokensOf(items.slice(0, common)) },
    common_part: one && other ? partOf(one, other) : 0,
    why,
    ...(against && (a || (b && why !== "appended")) && { differs: { at: common, a, b, ...(change && { change }) } }),
    predicted_cached: predicted.tokens === null ? null : Math.min(predicted.tokens, most),
    ...(predicted.not_cached && { not_cached: predicted.not_cached }),
    ...(usage?.input_tokens !== undefined && { input_tokens: usage.input_tokens }),
    ...(usage?.cached_input_tokens !== undefined && { cached_tokens: usage.cached_input_tokens }),
  };
}
