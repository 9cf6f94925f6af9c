// What one task hands over: the arguments for its recipe, and the recipe completed with what the delegation itself gives. A
// recipe says how things travel, not whether: an instruction, a box, a card or a clone's memory is never dropped without a line
// of the receipt.
import { KernelError } from "@/server/contract/errors";
import { ARGUMENTS_MAX } from "@/server/contract/handed";
import type { Handover } from "@/server/contract/pack";
import type { PackItem } from "../context/pack-item";
import type { Chosen, TaskArgs } from "./choose-recipes";
import type { Target } from "./resolve-target";

type Given = {
  /** A box may be packed by hand without a task. */
  args: Pick<TaskArgs, "arguments" | "context_box_id" | "context_card_ids" | "load"> & { instruction?: string };
  target: { profile: Pick<Target["profile"], "name">; kernel_box_ids: Target["kernel_box_ids"] };
  chosen: Chosen;
  at: string;
};

export function handoverOf({
  args,
  target,
  chosen,
  at,
}: Given): Pick<PackItem, "arguments" | "handover" | "kernel_box_ids" | "recipe"> {
  const own = args.arguments ?? {};
  refuseArguments(own, chosen, at);
  const { input_box_ids, input_card_ids, ...others } = own;
  const boxes = listOf(input_box_ids, [args.context_box_id ?? [], target.kernel_box_ids].flat());
  const cards = listOf(input_card_ids, args.context_card_ids ?? []);
  return {
    arguments: {
      ...others,
      profile_name: target.profile.name,
      ...(args.instruction !== undefined && { instruction: args.instruction }),
      ...(boxes.length > 0 && { input_box_ids: boxes }),
      ...(cards.length > 0 && { input_card_ids: cards }),
      ...(args.load && { load: args.load }),
    },
    handover: withGiven(chosen.handover),
    kernel_box_ids: target.kernel_box_ids,
    recipe: chosen.recipe,
  };
}

const listOf = (own: unknown, given: string[]): unknown[] => [...(own === undefined ? [] : [own].flat()), ...given];

const KERNELS = ["instruction", "load", "profile_name"];

function refuseArguments(own: Record<string, unknown>, { handover, recipe }: Chosen, at: string): void {
  const { pack_arguments, inherit_context: inherit } = handover.context_packing_config;
  const named = [
    ...pack_arguments.map((rule) => rule.arg_key),
    ...inherit.include_boxes_from_args,
    ...inherit.include_cards_from_args,
    ...inherit.include_from_args,
  ].filter((name) => !KERNELS.includes(name));
  const path = `${at}arguments`;
  if (Object.keys(own).length > ARGUMENTS_MAX)
    throw new KernelError(
      "bad_request",
      `${path}: at most ${ARGUMENTS_MAX} arguments. Take some away, or put them into one.`,
      { path },
    );
  for (const name of Object.keys(own)) {
    const path = `${at}arguments.${name}`;
    if (KERNELS.includes(name))
      throw new KernelError("bad_request", `${path}: the kernel fills this in; give it beside arguments`, { path });
    if (named.includes(name)) continue;
    const what = recipe ? `recipe ${recipe.name}@${recipe.version}` : "the recipe";
    const remedy = named.length > 0 ? `It takes ${named.join(", ")}` : "It takes none; name a recipe that does";
    throw new KernelError("bad_request", `${path}: ${what} does not use this argument. ${remedy}`, { path });
  }
}

const completed = new WeakMap<Handover, Handover>();

/** One object for each recipe: whoever checks it sees that siblings have the same. */
function withGiven(handover: Handover): Handover {
  const known = completed.get(handover) ?? complete(handover);
  completed.set(handover, known);
  return known;
}

function complete(handover: Handover): Handover {
  const { inherit_context: inherit, pack_arguments: rules, ...rest } = handover.context_packing_config;
  const packsTask = rules.some((rule) => rule.arg_key === "instruction");
  const task = { arg_key: "instruction", as_card_type: "task.instruction", card_metadata: {} };
  return {
    ...handover,
    context_packing_config: {
      ...rest,
      pack_arguments: packsTask ? rules : [...rules, task],
      inherit_context: {
        ...inherit,
        include_boxes_from_args: withName(inherit.include_boxes_from_args, "input_box_ids"),
        include_cards_from_args: withName(inherit.include_cards_from_args, "input_card_ids"),
        include_from_args: withName(inherit.include_from_args, "load"),
      },
    },
  };
}

const withName = (names: string[], name: string): string[] => (names.includes(name) ? names : [...names, name]);
