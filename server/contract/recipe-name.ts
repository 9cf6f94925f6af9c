// How a recipe is named: `name` is its newest version, `name@version` the one of that number.
import * as z from "zod";

/** Every delegation that names no other packs with this one. */
export const BUILT_IN_RECIPE = "instruction";

const AT = /^(.+)@(\d{1,9})$/s;

export const RecipeName = z.string().trim().min(1).max(140);

export type RecipeRef = { name: string; version?: number };

export function recipeRefOf(text: string): RecipeRef {
  const [, name, version] = AT.exec(text.trim()) ?? [];
  return name === undefined ? { name: text.trim() } : { name: name.trim(), version: Number(version) };
}

/** Such a name could not be told from a version of another recipe. */
export const readsLikeVersion = (name: string): boolean => AT.test(name);
