// A recipe: a saved configuration of a hand-over (docs/design/kernel.md 5). Its versions never change.
import * as z from "zod";
import { User } from "./ids";
import { Handover } from "./pack";

/** Every delegation that names no other packs with this one. */
export const BUILT_IN_RECIPE = "instruction";

const AT = /^(.+)@(\d{1,9})$/s;

export const NewRecipe = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "a recipe has a name")
    .max(120)
    .refine((name) => !AT.test(name), "ends like a version; choose a name without @ and a number at its end"),
  handover: Handover,
  user: User,
});
export type NewRecipe = z.infer<typeof NewRecipe>;

/** One version of a recipe. */
export type Recipe = {
  project_id: string;
  name: string;
  /** 1, 2 ... */
  version: number;
  handover: Handover;
  /** Absent for versions saved before they were recorded. */
  created_by?: string;
  /** Of this version. */
  created_at: string;
};

/** `name` (the newest version) or `name@version`. */
export const RecipeName = z.string().trim().min(1).max(140);

export type RecipeRef = { name: string; version?: number };

export function recipeRefOf(text: string): RecipeRef {
  const [, name, version] = AT.exec(text.trim()) ?? [];
  return name === undefined ? { name: text.trim() } : { name: name.trim(), version: Number(version) };
}
