// A recipe: a saved configuration of a hand-over (docs/design/kernel.md 5).
import * as z from "zod";
import { Handover } from "./pack";

export const NewRecipe = z.strictObject({
  name: z.string().trim().min(1, "a recipe has a name").max(120),
  handover: Handover,
});
export type NewRecipe = z.infer<typeof NewRecipe>;

export type Recipe = NewRecipe & { project_id: string; created_at: string; updated_at: string };
