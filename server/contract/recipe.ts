// A recipe: a saved configuration of a hand-over (docs/design/kernel.md 5). Its versions never change.
import * as z from "zod";
import { User } from "./ids";
import { Handover } from "./pack";
import { readsLikeVersion } from "./recipe-name";

export const NewRecipe = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "a recipe has a name")
    .max(120)
    .refine((name) => !readsLikeVersion(name), "ends like a version; choose a name without @ and a number at its end"),
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
