// Saves a recipe: the first version under a new name, the next one under a taken name. A hand-over that is the newest version's
// already makes none.
import { isDeepStrictEqual } from "node:util";
import { KernelError } from "@/server/contract/errors";
import type { NewRecipe, Recipe } from "@/server/contract/recipe";
import { BUILT_IN_RECIPE } from "@/server/contract/recipe-name";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { refuseDots } from "../refuse-dots";
import { withUnit } from "../unit";
import { readProject } from "./read-project";
import { RECIPE_COLUMNS, type RecipeRow, recipeOf } from "./recipe-row";

// The row of the name serialises who saves under it; the versions are read by the next statement, which sees theirs.
const LOCK = `
  INSERT INTO resource.recipes (project_id, name, head) VALUES ($1, $2, 1)
  ON CONFLICT (project_id, name) DO UPDATE SET head = recipes.head RETURNING xmax = 0 AS is_new`;

// Of a deleted recipe too: a number is given once.
const NEWEST = `
  SELECT ${columnsOf(RECIPE_COLUMNS, "recipe_versions")} FROM resource.recipe_versions
  WHERE project_id = $1 AND name = $2 ORDER BY version DESC LIMIT 1`;

const ADD = `
  INSERT INTO resource.recipe_versions (project_id, name, version, handover, created_by) VALUES ($1, $2, $3, $4::jsonb, $5)
  RETURNING ${columnsOf(RECIPE_COLUMNS, "recipe_versions")}`;

const POINT = "UPDATE resource.recipes SET head = $3, updated_at = now() WHERE project_id = $1 AND name = $2";

/** `is_new` is false if the newest version is this already. bad_request for the built-in recipe's name. */
export async function saveRecipe(
  kernel: Kernel,
  input: NewRecipe & { project_id: string },
): Promise<{ recipe: Recipe; is_new: boolean }> {
  const { project_id, name, handover } = input;
  refuseBadText({ name, handover }, "recipe");
  refuseDots(name, "name");
  if (name.toLowerCase() === BUILT_IN_RECIPE)
    throw new KernelError("bad_request", `name: ${BUILT_IN_RECIPE} is the built-in recipe; choose another name`);
  await readProject(kernel, project_id);
  return withUnit(kernel, async (unit) => {
    const key = [project_id, name];
    const [locked] = await unit.query<{ is_new: boolean }>("recipe_lock", LOCK, key);
    const [row] = await unit.query<RecipeRow>("recipe_newest", NEWEST, key);
    const newest = row && recipeOf(row);
    const isSame = newest !== undefined && isDeepStrictEqual(newest.handover, handover);
    if (isSame && !locked?.is_new) return { recipe: newest, is_new: false };
    const version = isSame ? newest.version : (newest?.version ?? 0) + 1;
    await unit.query("recipe_point", POINT, [...key, version]);
    if (isSame) return { recipe: newest, is_new: true };
    const values = [...key, version, JSON.stringify(handover), input.user];
    const [added] = await unit.query<RecipeRow>("recipe_add", ADD, values);
    if (!added) throw new Error("a version of a recipe was inserted and did not come back");
    return { recipe: recipeOf(added), is_new: true };
  });
}
