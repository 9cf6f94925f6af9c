// Keeps a recipe under its name, or replaces the one of that name.
import { KernelError } from "@/server/contract/errors";
import type { NewRecipe, Recipe } from "@/server/contract/recipe";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { readProject } from "./read-project";
import { RECIPE_COLUMNS } from "./read-recipes";

// Every delegation packs with this one.
const BUILT_IN = "instruction";

const SAVE = `
  INSERT INTO resource.recipes (project_id, name, handover) VALUES ($1, $2, $3::jsonb)
  ON CONFLICT (project_id, name) DO UPDATE SET handover = excluded.handover, updated_at = now()
  RETURNING ${columnsOf(RECIPE_COLUMNS, "recipes")}`;

/** bad_request for the built-in recipe's name. */
export async function saveRecipe(kernel: Kernel, input: NewRecipe & { project_id: string }): Promise<Recipe> {
  const { project_id, name, handover } = input;
  refuseBadText({ name, handover }, "recipe");
  if (name.toLowerCase() === BUILT_IN)
    throw new KernelError("bad_request", `name: ${BUILT_IN} is the built-in recipe; choose another name`);
  await readProject(kernel, project_id);
  return withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Recipe>("recipe_save", SAVE, [project_id, name, JSON.stringify(handover)]);
    if (!row) throw new Error("an upsert answered no row");
    return row;
  });
}
