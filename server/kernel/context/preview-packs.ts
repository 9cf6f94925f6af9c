// What a dry run shows: every card as it would be packed, and the prompt as the receiver would get it.
import { type Card, contentText } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";
import { windowOf } from "@/server/contract/models";
import type { PackResult, Rendered, Weighed } from "@/server/contract/pack";
import type { ProfileBody } from "@/server/contract/profile";
import { getCards } from "../cardbox/get-cards";
import { readBoxIds } from "../cardbox/read-box";
import { redactValue } from "../redaction/redact";
import { levelOf } from "../roster/parse-profile";
import { readBodies } from "../roster/read-bodies";
import type { Unit } from "../unit";
import { type CardSecrets, newCardsOf, type PackCommon, type Plan } from "./pack-item";
import { readBackgrounds } from "./read-background";
import { renderRequest } from "./render-request";

type Shown = Pick<PackResult, "preview"> & { rendered?: Rendered; request?: Weighed; secrets?: CardSecrets[] };

/** In the order of the plans; a constant number of statements. */
export async function previewPacks(unit: Unit, input: PackCommon & { plans: Plan[] }): Promise<Shown[]> {
  const { project_id, plans, renderer, offer } = input;
  const memories = await readBoxIds(unit, {
    project_id,
    box_ids: plans.flatMap((p) => p.item.target?.memory_box_id ?? []),
  });
  const fresh = new Map(plans.flatMap(newCardsOf).map((card) => [card.card_id, card]));
  const wanted = [...plans.flatMap(idsOf), ...[...memories.values()].flat()];
  const stored = await getCards(unit, { project_id, card_ids: [...new Set(wanted)].filter((id) => !fresh.has(id)) });
  const cards = new Map([...stored.map((card) => [card.card_id, card] as const), ...fresh]);
  const bodies = await bodiesOf(unit, project_id, plans);
  const find = (ids: readonly string[]): Card[] => ids.flatMap((id) => cards.get(id) ?? []);
  const contexts = plans.map((plan) => find(idsOf(plan)));
  const receivers = plans.map(({ item }, i) => ({
    agent_id: item.target?.agent_id ?? "",
    derived_from: item.delegation_context?.target.derived_from,
    context: contexts[i] ?? [],
  }));
  const backgrounds = renderer ? await readBackgrounds(unit, { project_id, receivers }) : [];
  const profiles = plans.map((plan) => bodyOf(plan, bodies));
  const offers = renderer && offer ? await offer(unit, { project_id, bodies: profiles }) : [];
  const findSecrets = secretsFinder();
  const shown = plans.map((plan, i) => (): Shown => {
    const { target } = plan.item;
    const [body, offered, context = []] = [profiles[i], offers[i], contexts[i]];
    const preview = input.is_brief ? undefined : previewOf(plan, context, fresh);
    const secrets = input.finds_secrets ? findSecrets(context, fresh) : undefined;
    if (!renderer || !body || !offered) return { preview, secrets };
    const { card_ids: _ids, ...request } = renderRequest({
      body,
      level: levelOf(body.delegation_context, [], unit.kernel.delegationContext),
      agent: { agent_id: target?.agent_id ?? "", display_name: target?.display_name ?? plan.profile.name },
      memory: find(target?.memory_box_id ? (memories.get(target.memory_box_id) ?? []) : []),
      context,
      background: backgrounds[i],
      output: [],
      renderer,
      tools: offered.tools,
      steps_done: 0,
      steps_max: body.max_steps ?? unit.kernel.tunables.stepsMax,
    });
    const { unasked_servers } = offered;
    const rendered = { ...request, window_tokens: windowOf(body.llm_config), unasked_servers };
    return input.is_brief ? { request: weightOf(rendered), secrets } : { preview, rendered, secrets };
  });
  return inSlices(shown);
}

/** Siblings share cards: each is searched once. What is new here is not a card yet. */
function secretsFinder() {
  const counts = new Map<string, number>();
  const countIn = (card: Card): number => {
    const known = counts.get(card.card_id);
    if (known !== undefined) return known;
    const { content, tool_calls, metadata } = card;
    const count = content === null ? 0 : redactValue({ content, tool_calls, metadata }).findings.length;
    counts.set(card.card_id, count);
    return count;
  };
  return (context: readonly Card[], fresh: ReadonlyMap<string, Card>): CardSecrets[] =>
    context.flatMap((card) => {
      if (fresh.has(card.card_id)) return redactedIn(card);
      const count = countIn(card);
      return count > 0 ? [{ card_id: card.card_id, count, is_redacted: false }] : [];
    });
}

/** A copy names its original, and counts what was taken out. */
function redactedIn({ metadata }: Card): CardSecrets[] {
  const { redacted_from, redactions } = metadata;
  if (typeof redacted_from !== "string" || !isRecord(redactions)) return [];
  const count = Object.values(redactions).reduce<number>((sum, n) => sum + Number(n), 0);
  return [{ card_id: redacted_from, count, is_redacted: true }];
}

/** A delegation has read its targets' bodies already. */
async function bodiesOf(unit: Unit, project_id: string, plans: Plan[]): Promise<ReadonlyMap<string, ProfileBody>> {
  const unread = plans.filter(({ item }) => item.target?.body === undefined);
  if (unread.length === 0) return new Map();
  const boxes = unread.map(({ item, profile }) => item.target?.profile_box_id ?? profile.profile_box_id);
  return readBodies(unit, { project_id, profile_box_ids: [...new Set(boxes)] });
}

/** A fork of 64 long contexts is counted for seconds, and others want answers meanwhile. */
async function inSlices<T>(work: (() => T)[]): Promise<T[]> {
  const done: T[] = [];
  for (const one of work) {
    if (done.length > 0) await new Promise<void>((go) => setImmediate(go));
    done.push(one());
  }
  return done;
}

const weightOf = ({ tokens, tools_tokens, window_tokens, unasked_servers }: Rendered): Weighed => ({
  tokens,
  tools_tokens,
  window_tokens,
  unasked_servers,
});

/** What the receiver is made of: an agent keeps its version of the profile. */
function bodyOf({ item: { target }, profile }: Plan, bodies: ReadonlyMap<string, ProfileBody>): ProfileBody {
  const body = target?.body ?? bodies.get(target?.profile_box_id ?? profile.profile_box_id);
  if (!body) throw new Error(`profile ${profile.name} was read and is gone`);
  return body;
}

// A dry run reads them all.
const idsOf = (plan: Plan): string[] => plan.card_ids ?? [];

function previewOf(
  plan: Plan,
  context: readonly Card[],
  fresh: ReadonlyMap<string, Card>,
): NonNullable<Shown["preview"]> {
  const origins = new Map<string, string>();
  let place = 0;
  // Lines of inherited cards are in the order of the box.
  for (const line of plan.receipt.lines) {
    if (line.verdict !== "included" && line.verdict !== "redacted") continue;
    for (const id of idsOf(plan).slice(place, place + line.cards)) origins.set(id, line.origin);
    place += line.cards;
  }
  return context.map((card) => ({
    card_id: card.card_id,
    type: card.type,
    role: card.role,
    token_count: card.token_count,
    origin: origins.get(card.card_id) ?? "",
    text: contentText(card.content),
    is_new: fresh.has(card.card_id),
  }));
}
