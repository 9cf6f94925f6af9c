// The recipes of a project: by name, one version, and all versions of one.
import { KernelError } from "@/server/contract/errors";
import type { Recipe } from "@/server/contract/recipe";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "./read-project";
import { RECIPE_COLUMNS, type RecipeRow, recipeOf } from "./recipe-row";

const LIST = `
  SELECT ${columnsOf(RECIPE_COLUMNS, "v")} FROM resource.recipes r
  JOIN resource.recipe_versions v ON v.project_id = r.project_id AND v.name = r.name AND v.version = r.head
  WHERE r.project_id = $1 ORDER BY r.name`;

const VERSIONS = `
  SELECT ${columnsOf(RECIPE_COLUMNS, "v")} FROM resource.recipes r
  JOIN resource.recipe_versions v ON v.project_id = r.project_id AND v.name = r.name
  WHERE r.project_id = $1 AND r.name = $2 ORDER BY v.version DESC`;

/** The newest version of each, by name. */
export async function listRecipes(kernel: Kernel, project_id: string): Promise<Recipe[]> {
  await readProject(kernel, project_id);
  return (await read<RecipeRow>(kernel, "recipe_list", LIST, [project_id])).map(recipeOf);
}

type Named = { project_id: string; name: string };

/** Newest first. not_found for an unknown recipe and for one of another project alike. */
export async function listRecipeVersions(kernel: Kernel, { project_id, name }: Named): Promise<Recipe[]> {
  const rows = await read<RecipeRow>(kernel, "recipe_versions", VERSIONS, [project_id, name.trim()]);
  if (rows.length === 0) throw new KernelError("not_found", `recipe ${name} not found in project ${project_id}`);
  return rows.map(recipeOf);
}

/** The newest version, or the one that is asked for. */
export async function readRecipe(kernel: Kernel, input: Named & { version?: number }): Promise<Recipe> {
  const versions = await listRecipeVersions(kernel, input);
  const [newest] = versions;
  const found = input.version === undefined ? newest : versions.find(({ version }) => version === input.version);
  if (found) return found;
  throw new KernelError(
    "not_found",
    `version: recipe ${input.name} has no version ${input.version}; the newest is ${newest?.version}`,
  );
}
