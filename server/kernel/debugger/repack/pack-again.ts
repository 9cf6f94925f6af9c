// The dry run of a hand-over that was made: its boxes, cards, task and arguments as they were recorded, by another recipe or the
// same one. Whoever delegated then, a person asks now: people may hand over any box of the project.
import { canonicalJson } from "@/server/contract/canonical-json";
import type { KernelError } from "@/server/contract/errors";
import type { LoadEntry } from "@/server/contract/handed";
import type { Handover, PackResult, Receipt } from "@/server/contract/pack";
import { BUILT_IN_RECIPE } from "@/server/contract/recipe-name";
import type { RepackBody } from "@/server/contract/repack";
import { attempt, isRefusal } from "../../attempt";
import { tryContexts } from "../../context/pack-context";
import { type TaskArgs, tryRecipes } from "../../delegation/choose-recipes";
import { handoverOf } from "../../delegation/handover-of";
import { argumentsOf, instructionOf, loadsOf } from "../../plan/lift-rider";
import type { GivenTurn } from "../../plan/read-given";
import type { Unit } from "../../unit";

type PackAgain = RepackBody & { project_id: string; user: string; turn: GivenTurn & { receipt: Receipt } };
export type PackedAgain = {
  packed: Pick<PackResult, "preview" | "receipt">;
  recorded: Record<string, unknown>;
  /** Origins of arguments that were written anew. */
  rewritten: ReadonlySet<string>;
  /** The single cards of the load, in its order: a copy in the receipt does not name its original. */
  singles: string[];
};

export async function packAgain(unit: Unit, input: PackAgain): Promise<PackedAgain | KernelError> {
  const { project_id, user, turn } = input;
  const { lines, recipe: then } = turn.receipt;
  const named = then ? `${then.name}@${then.version}` : BUILT_IN_RECIPE;
  const target = { profile: { name: turn.profile_name }, body: {}, kernel_box_ids: [] };
  const args = { recipe: input.recipe ?? named };
  const [chosen] = await tryRecipes(unit, { project_id, tasks: [{ args, target }], at: () => "" });
  if (!chosen) throw new Error("one recipe was asked for and none came back");
  if (isRefusal(chosen)) return chosen;
  const recorded = argumentsOf(turn, lines);
  // A clone's memory is loaded as the box that it is.
  const load = loadsOf({ ...turn, target_strategy: "new" }, lines).flatMap((one): LoadEntry[] | LoadEntry => {
    if ("box" in one) return { box_id: one.box };
    return "card" in one ? { card_id: one.card } : [];
  });
  const instruction = instructionOf(turn, []);
  const given = {
    arguments: argumentsFor(chosen.handover, recorded, input.arguments ?? {}),
    load,
    ...(instruction !== "" && { instruction }),
  } satisfies Partial<TaskArgs>;
  const item = attempt(() => handoverOf({ args: given, target, chosen, at: "" }));
  const [packed] = await tryContexts(unit, {
    project_id,
    source_agent_id: `human_${user}`,
    tool_suffix: "repack",
    items: [item],
  });
  if (!packed) throw new Error("one hand-over was packed and none came back");
  if (isRefusal(packed)) return packed;
  const own = Object.entries(input.arguments ?? {});
  const rewritten = own.filter(([name, value]) => canonicalJson(value) !== canonicalJson(recorded[name] ?? null));
  return {
    packed,
    recorded,
    rewritten: new Set(rewritten.map(([name]) => `arg:${name}`)),
    singles: load.flatMap((one) => ("card_id" in one ? one.card_id : [])),
  };
}

type Arguments = NonNullable<TaskArgs["arguments"]>;

/** Recorded ones that the recipe does not take are left out; one that was written for it is refused, with its name. */
function argumentsFor(handover: Handover, recorded: Record<string, unknown>, own: Arguments): Arguments {
  const { pack_arguments, inherit_context: inherit } = handover.context_packing_config;
  const taken = new Set([
    ...pack_arguments.map((rule) => rule.arg_key),
    ...inherit.include_boxes_from_args,
    ...inherit.include_cards_from_args,
    ...inherit.include_from_args,
  ]);
  const kept = Object.entries(recorded).filter(([name]) => taken.has(name));
  const all = Object.entries({ ...(Object.fromEntries(kept) as Arguments), ...own });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}
