// A version of a recipe as it is stored.
import { Handover } from "@/server/contract/pack";
import type { Recipe } from "@/server/contract/recipe";

export type RecipeRow = {
  project_id: string;
  name: string;
  version: number;
  handover: unknown;
  created_by: string | null;
  created_at: string;
};

/** All of resource.recipe_versions. */
export const RECIPE_COLUMNS = [
  "project_id",
  "name",
  "version",
  "handover",
  "created_by",
  "created_at",
] as const satisfies readonly (keyof RecipeRow)[];

// Parsed again: fields that were added since have their default.
export const recipeOf = ({ created_by, handover, ...row }: RecipeRow): Recipe => ({
  ...row,
  handover: Handover.parse(handover),
  ...(created_by !== null && { created_by }),
});
