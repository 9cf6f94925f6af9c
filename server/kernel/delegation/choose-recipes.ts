// Which recipe packs each task: the hand-over written for it, the recipe it names, the one that its target's profile names, or
// the built-in one. One statement if any is named, none otherwise.

import { instructionRecipe } from "@/server/contract/built-in-recipe";
import type { DelegateInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { Handover } from "@/server/contract/pack";
import { BUILT_IN_RECIPE, type RecipeRef, recipeRefOf } from "@/server/contract/recipe-name";
import { attempt, isRefusal, pass, passAll } from "../attempt";
import type { CardEdit } from "../context/edit-cards";
import type { LeftOutCard } from "../context/pack-item";
import type { Reader } from "../reader";
import { type FoundRecipe, findRecipes } from "../roster/find-recipes";
import type { Target } from "./resolve-target";

/**
 * A hand-over of the task's own may stand in for a recipe; `profile_box_id` pins a version of the target's profile; `left_out`
 * are cards that the receipt tells of.
 */
export type TaskArgs = DelegateInput & {
  handover?: Handover;
  profile_box_id?: string;
  left_out?: readonly LeftOutCard[];
  /** Cards that are swapped or dropped as they are handed over. */
  edits?: readonly CardEdit[];
};

/** `recipe` is recorded in the receipt; absent for the built-in one and for a hand-over of the task's own. */
export type Chosen = { handover: Handover; recipe?: { name: string; version: number } };

/** Of a task and its target, what decides. */
type ToChoose = {
  args: Pick<TaskArgs, "handover" | "recipe">;
  target: { profile: Pick<Target["profile"], "name">; body: Pick<Target["body"], "handover_recipe"> };
};

type ChooseInput = {
  project_id: string;
  tasks: ToChoose[];
  /** Where a task is named in messages. */
  at: (i: number) => string;
};

const BUILT_IN = Handover.parse(instructionRecipe);

/** In input order. not_found for an unknown recipe or version. */
export const chooseRecipes = async (reader: Reader, input: ChooseInput): Promise<Chosen[]> =>
  passAll(await tryRecipes(reader, input));

/** Each for itself: a refusal stands where its task does. */
export async function tryRecipes(
  reader: Reader,
  { project_id, tasks, at }: ChooseInput,
): Promise<(Chosen | KernelError)[]> {
  const refs = tasks.map((task, i) => attempt(() => refOf(task, at(i))));
  const known = refs.flatMap((ref) => (isRefusal(ref) || !ref ? [] : [[keyOf(ref), ref] as const]));
  const named = [...new Map(known).values()];
  const found = await findRecipes(reader, { project_id, refs: named });
  const byKey = new Map(named.map((ref, i) => [keyOf(ref), found[i] ?? null]));
  return tasks.map((task, i) =>
    attempt(() => {
      const ref = pass(refs[i] ?? null);
      if (!ref) return { handover: task.args.handover ?? BUILT_IN };
      return chosenOf(task, ref, byKey.get(keyOf(ref)) ?? null, at(i));
    }),
  );
}

const keyOf = ({ name, version }: RecipeRef): string => `${version ?? ""}@${name}`;

/** Null for the built-in recipe and for a hand-over of the task's own. */
function refOf({ args, target }: ToChoose, at: string): RecipeRef | null {
  if (args.handover && args.recipe !== undefined)
    throw refusal("bad_request", at, "Give a recipe or a handover, not both.");
  const text = args.handover ? undefined : (args.recipe ?? target.body.handover_recipe);
  if (text === undefined) return null;
  const ref = recipeRefOf(text);
  if (ref.name !== BUILT_IN_RECIPE) return ref;
  if (ref.version === undefined || ref.version === 1) return null;
  throw refusal("not_found", at, `Recipe ${ref.name} has no version ${ref.version}; the newest is 1.`);
}

function chosenOf(task: ToChoose, ref: RecipeRef, found: FoundRecipe | null, at: string): Chosen {
  const { args, target } = task;
  // Who delegates may not know that the profile names one.
  const by = args.recipe === undefined ? ` Profile ${target.profile.name} names it as its handover_recipe.` : "";
  if (!found) throw refusal("not_found", at, `Recipe ${ref.name} does not exist.${by}`);
  const { recipe, newest } = found;
  if (!recipe)
    throw refusal("not_found", at, `Recipe ${ref.name} has no version ${ref.version}; the newest is ${newest}.${by}`);
  return { handover: recipe.handover, recipe: { name: recipe.name, version: recipe.version } };
}

const refusal = (code: "bad_request" | "not_found", at: string, sentence: string) =>
  new KernelError(code, at === "" ? sentence : `${at}recipe: ${sentence}`, { path: `${at}recipe` });
