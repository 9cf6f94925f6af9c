// The recipes of a project by name.
import { KernelError } from "@/server/contract/errors";
import type { Recipe } from "@/server/contract/recipe";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "./read-project";

/** All of resource.recipes. */
export const RECIPE_COLUMNS = [
  "project_id",
  "name",
  "handover",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Recipe)[];

const READ = `
  SELECT ${columnsOf(RECIPE_COLUMNS, "recipes")} FROM resource.recipes
  WHERE project_id = $1 AND ($2::text IS NULL OR name = $2) ORDER BY name`;

export async function listRecipes(kernel: Kernel, project_id: string): Promise<Recipe[]> {
  await readProject(kernel, project_id);
  return read<Recipe>(kernel, "recipe_read", READ, [project_id, null]);
}

/** not_found for an unknown recipe and for one of another project alike. */
export async function readRecipe(kernel: Kernel, input: { project_id: string; name: string }): Promise<Recipe> {
  const [recipe] = await read<Recipe>(kernel, "recipe_read", READ, [input.project_id, input.name.trim()]);
  if (!recipe) throw new KernelError("not_found", `recipe ${input.name} not found in project ${input.project_id}`);
  return recipe;
}
