// How a hand-over is changed: each returns the next one, and the wagon keeps it as its own. Pure.
import { instructionRecipe } from "@/server/contract/built-in-recipe";
import { Handover, type PackRule } from "@/server/contract/pack";
import type { Plan, Rider } from "@/server/contract/plan/plan";
import { recipeRefOf } from "@/server/contract/recipe-name";
import type { Change } from "../draft/drawing-store";
import { named } from "../draft/edits";

export const builtIn: Handover = Handover.parse({
  ...instructionRecipe,
  context_packing_config: {
    ...instructionRecipe.context_packing_config,
    inherit_context: { include_from_args: ["load"], include_parent: true },
  },
});

type Config = Handover["context_packing_config"];

const withConfig = (handover: Handover, config: Partial<Config>): Handover => ({
  ...handover,
  context_packing_config: { ...handover.context_packing_config, ...config },
});

export const withOrder = (handover: Handover, order: Config["order"]): Handover => withConfig(handover, { order });

export const withInherit = (handover: Handover, part: Partial<Config["inherit_context"]>): Handover =>
  withConfig(handover, { inherit_context: { ...handover.context_packing_config.inherit_context, ...part } });

export const withRules = (handover: Handover, pack_arguments: PackRule[]): Handover =>
  withConfig(handover, { pack_arguments });

/** "This wagon only": rules of its own in place of the recipe that it named. */
export function packing(plan: Plan, place: string, rider: Rider, handover: Handover, words: string): Change {
  return {
    label: `${named(plan, place)}: ${words}`,
    ops: [
      ...(rider.recipe === undefined ? [] : [{ op: "set" as const, node: place, path: "/recipe" }]),
      { op: "set", node: place, path: "/handover", value: handover as never },
    ],
  };
}

/** A saved recipe in place of rules of its own; null = the built-in one, or the profile's. */
export function choosing(plan: Plan, place: string, rider: Rider, recipe: string | null): Change {
  return {
    label: `${named(plan, place)}: ${recipe ?? "no recipe of its own"}`,
    ops: [
      ...(rider.handover === undefined ? [] : [{ op: "set" as const, node: place, path: "/handover" }]),
      { op: "set", node: place, path: "/recipe", ...(recipe !== null && { value: recipe }) },
    ],
  };
}

/** The name that a saved one gets: of the recipe that was changed, or of the wagon. */
export const nameFor = (rider: Rider, before: string | null): string =>
  rider.recipe !== undefined ? recipeRefOf(rider.recipe).name : (before ?? "");
