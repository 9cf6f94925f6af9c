// Recipe regression: the last real hand-overs packed again by another hand-over, dry. It answers before anybody runs on it what a
// changed recipe would leave out, add and keep. No model, and nothing is written.

import type { KernelError } from "@/server/contract/errors";
import type { Handover, Receipt } from "@/server/contract/pack";
import type { Regressed, RegressInput, Regression, Weight } from "@/server/contract/regression";
import { attempt, isRefusal } from "../attempt";
import { readBoxIds } from "../cardbox/read-box";
import { tryContexts } from "../context/pack-context";
import type { Packed, PackItem } from "../context/pack-item";
import { handoverOf } from "../delegation/handover-of";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";
import { readRecipe } from "../roster/read-recipes";
import { type Unit, withUnit } from "../unit";
import { argumentsOf, instructionOf, loadsOf } from "./lift-rider";
import { type GivenTurn, readGiven } from "./read-given";

export type RegressRecipe = RegressInput & { project_id: string; name: string; user: string };

/** not_found for an unknown recipe, unless a hand-over is given with a profile. */
export async function regressRecipe(kernel: Kernel, input: RegressRecipe): Promise<Regression> {
  const { project_id, name, profile, last, user } = input;
  await readProject(kernel, project_id);
  // A hand-over of its own over the hand-overs to a profile needs no saved recipe.
  const isOwn = input.handover !== undefined && profile !== undefined;
  const recipe = isOwn ? null : await readRecipe(kernel, { project_id, name });
  const handover = input.handover ?? recipe?.handover;
  if (!handover) throw new Error("a recipe was read and has no hand-over");
  return withUnit(kernel, async (unit) => {
    const of = {
      recent: { recipe: profile === undefined ? (recipe?.name ?? name) : null, profile: profile ?? null, last },
    };
    const turns = (await readGiven(unit, project_id, of)).toReversed();
    const packed = await packAgain(unit, { project_id, user, handover, turns });
    const before = await readBoxIds(unit, { project_id, box_ids: turns.flatMap((turn) => turn.context_box_id ?? []) });
    const compared = turns.map((turn, i) => {
      const now = packed[i];
      const was = keysOf(before.get(turn.context_box_id ?? "") ?? [], turn.receipt);
      return { turn, now, was, keys: now && !isRefusal(now) ? keysOf(now.card_ids ?? [], now.receipt) : new Map() };
    });
    const tokens = await readTokens(unit, project_id, compared.flatMap(differing));
    return summed(compared.map((one) => regressed(one, tokens)));
  });
}

type Pack = { project_id: string; user: string; handover: Handover; turns: readonly GivenTurn[] };

/** In order. Whoever delegated then, a person asks now: people may hand over any box of the project. */
async function packAgain(unit: Unit, { project_id, user, handover, turns }: Pack): Promise<(Packed | KernelError)[]> {
  const used = argumentNames(handover);
  const items = turns.map((turn) =>
    attempt((): PackItem => {
      const lines = turn.receipt?.lines ?? [];
      const own = Object.entries(argumentsOf(turn, lines)).filter(([key]) => used.has(key));
      const args = {
        target_strategy: "new" as const,
        target_ref: turn.profile_name,
        instruction: instructionOf(turn, []),
        arguments: Object.fromEntries(own),
        load: loadsOf({ ...turn, target_strategy: "new" }, lines).map((load) =>
          "box" in load ? { box_id: load.box } : { card_id: "card" in load ? load.card : "" },
        ),
      };
      const target = { profile: { name: turn.profile_name }, body: {}, kernel_box_ids: [] };
      return handoverOf({ args: args as never, target, chosen: { handover }, at: "" });
    }),
  );
  return tryContexts(unit, {
    project_id,
    source_agent_id: `human_${user}`,
    tool_suffix: "regress",
    items,
    is_brief: true,
  });
}

function argumentNames({
  context_packing_config: { pack_arguments, inherit_context: inherit },
}: Handover): Set<string> {
  return new Set([
    ...pack_arguments.map((rule) => rule.arg_key),
    ...inherit.include_boxes_from_args,
    ...inherit.include_cards_from_args,
    ...inherit.include_from_args,
  ]);
}

/** By what stays the same when it is packed again: the id of an inherited card; of one that was made here its origin, and which of that origin. */
function keysOf(card_ids: readonly string[], receipt: Receipt | null): Map<string, string> {
  const made = new Map(
    (receipt?.lines ?? []).flatMap(({ origin, card_id }) =>
      card_id !== undefined && /^(arg:|pack$|ptr$|sys$)/.test(origin) ? [[card_id, origin] as const] : [],
    ),
  );
  const counts = new Map<string, number>();
  // The pointer and the facts of the delegation are the kernel's own, and not a recipe's.
  return new Map(
    card_ids.flatMap((id): [string, string][] => {
      const origin = made.get(id);
      if (origin === undefined) return [[id, id]];
      if (origin === "pack" || origin === "ptr" || origin === "sys") return [];
      const count = counts.get(origin) ?? 0;
      counts.set(origin, count + 1);
      return [[`${origin} ${count}`, id]];
    }),
  );
}

type Compared = {
  turn: GivenTurn;
  now: Packed | KernelError | undefined;
  was: Map<string, string>;
  keys: Map<string, string>;
};

const missing = (from: Map<string, string>, other: Map<string, string>): string[] =>
  [...from].flatMap(([key, id]) => (other.has(key) ? [] : id));
const differing = ({ was, keys }: Compared): string[] => [...missing(was, keys), ...missing(keys, was)];

const TOKENS = "SELECT card_id, token_count FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2::text[])";

/** Of cards that are stored. What was only drafted is weighed by its receipt. */
async function readTokens(unit: Unit, project_id: string, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await unit.query<{ card_id: string; token_count: number }>("regress_tokens", TOKENS, [
    project_id,
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ card_id, token_count }) => [card_id, token_count]));
}

const NONE: Weight = { cards: 0, tokens: 0 };

function regressed({ turn, now, was, keys }: Compared, tokens: ReadonlyMap<string, number>): Regressed {
  const { agent_turn_id, headcode, profile_name } = turn;
  const named = { agent_turn_id, headcode, profile_name };
  if (!now || isRefusal(now))
    return { ...named, left_out: NONE, added: NONE, same: NONE, refused: now?.message ?? "it was not packed" };
  const drafted = new Map(
    now.receipt.lines.flatMap(({ card_id, tokens: own }) => (card_id === undefined ? [] : [[card_id, own] as const])),
  );
  const weigh = (ids: string[]): Weight => ({
    cards: ids.length,
    tokens: ids.reduce((sum, id) => sum + (tokens.get(id) ?? drafted.get(id) ?? 0), 0),
  });
  const added = weigh(missing(keys, was));
  const kept = [...keys.keys()].filter((key) => was.has(key)).length;
  const all = now.receipt.lines
    .filter(({ verdict, origin }) => (verdict === "included" || verdict === "redacted") && !/^(ptr|sys)$/.test(origin))
    .reduce((sum, line) => sum + line.tokens, 0);
  return {
    ...named,
    left_out: weigh(missing(was, keys)),
    added,
    same: { cards: kept, tokens: Math.max(0, all - added.tokens) },
  };
}

function summed(items: Regressed[]): Regression {
  const sum = (of: "left_out" | "added" | "same"): Weight =>
    items.reduce(
      (total, item) => ({ cards: total.cards + item[of].cards, tokens: total.tokens + item[of].tokens }),
      NONE,
    );
  const refused = items.filter((item) => item.refused !== undefined).length;
  const changed = items.filter((item) => item.left_out.cards + item.added.cards > 0).length;
  return { items, total: { left_out: sum("left_out"), added: sum("added"), same: sum("same"), refused, changed } };
}
