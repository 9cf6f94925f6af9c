// What a dry run shows: every card as it would be packed, and the prompt as the receiver would get it.
import { type Card, contentText } from "@/server/contract/card";
import type { PackResult, Rendered } from "@/server/contract/pack";
import { getCards } from "../cardbox/get-cards";
import { readBoxIds } from "../cardbox/read-box";
import { levelOf } from "../roster/parse-profile";
import { readBodies } from "../roster/read-bodies";
import type { Unit } from "../unit";
import { assembleMessages } from "./assemble-messages";
import { newCardsOf, type PackCommon, type Plan } from "./pack-item";
import { readBackgrounds } from "./read-background";
import { toldTools } from "./told-tools";

type Shown = Required<Pick<PackResult, "preview">> & { rendered?: Rendered };

/** In the order of the plans; a constant number of statements. */
export async function previewPacks(unit: Unit, input: PackCommon & { plans: Plan[] }): Promise<Shown[]> {
  const { project_id, plans, renderer } = input;
  const memories = await readBoxIds(unit, {
    project_id,
    box_ids: plans.flatMap((p) => p.item.target?.memory_box_id ?? []),
  });
  const fresh = new Map(plans.flatMap(newCardsOf).map((card) => [card.card_id, card]));
  const wanted = [...plans.flatMap(idsOf), ...[...memories.values()].flat()];
  const stored = await getCards(unit, { project_id, card_ids: [...new Set(wanted)].filter((id) => !fresh.has(id)) });
  const cards = new Map([...stored.map((card) => [card.card_id, card] as const), ...fresh]);
  const bodies = await readBodies(unit, {
    project_id,
    profile_box_ids: [...new Set(plans.map((p) => p.item.target?.profile_box_id ?? p.profile.profile_box_id))],
  });
  const registered = renderer ? await toolNamesIn(unit, project_id) : [];
  const find = (ids: readonly string[]): Card[] => ids.flatMap((id) => cards.get(id) ?? []);
  const contexts = plans.map((plan) => find(idsOf(plan)));
  const receivers = plans.map(({ item }, i) => ({
    agent_id: item.target?.agent_id ?? "",
    derived_from: item.delegation_context?.target.derived_from,
    context: contexts[i] ?? [],
  }));
  const backgrounds = renderer ? await readBackgrounds(unit, { project_id, receivers }) : [];
  return plans.map((plan, i) => {
    const { target } = plan.item;
    const context = contexts[i] ?? [];
    const preview = previewOf(plan, context, fresh);
    const body = target?.body ?? bodies.get(target?.profile_box_id ?? plan.profile.profile_box_id);
    if (!renderer || !body) return { preview };
    const memory = find(target?.memory_box_id ? (memories.get(target.memory_box_id) ?? []) : []);
    const { system, messages, tokens } = assembleMessages({
      body,
      level: levelOf(body.delegation_context, [], unit.kernel.delegationContext),
      agent: { agent_id: target?.agent_id ?? "", display_name: target?.display_name ?? plan.profile.name },
      memory,
      context,
      background: backgrounds[i],
      output: [],
      renderer,
      tools: toldTools(body, registered),
    });
    const window_tokens = body.llm_config.context_window ?? unit.kernel.tunables.windowTokensDefault;
    return { preview, rendered: { system, messages, tokens, window_tokens } };
  });
}

async function toolNamesIn(unit: Unit, project_id: string): Promise<string[]> {
  const rows = await unit.query<{ tool_name: string }>(
    "tool_names",
    "SELECT tool_name FROM resource.tools WHERE project_id = $1 ORDER BY tool_name",
    [project_id],
  );
  return rows.map((row) => row.tool_name);
}

// A dry run reads them all.
const idsOf = (plan: Plan): string[] => plan.card_ids ?? [];

function previewOf(plan: Plan, context: readonly Card[], fresh: ReadonlyMap<string, Card>): Shown["preview"] {
  const origins = new Map<string, string>();
  let place = 0;
  // Lines of what travelled stand in the order of the box.
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
