// Versions of recipes by name and number, for those who pack with them.
import type { RecipeRef } from "@/server/contract/recipe-name";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { RECIPE_COLUMNS, type RecipeRow, recipeOf } from "./recipe-row";

const FIND = `
  SELECT n.ord::int AS ord, r.head, ${columnsOf(RECIPE_COLUMNS, "v")}
  FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS n(name, version, ord)
  JOIN resource.recipes r ON r.project_id = $1 AND r.name = n.name
  LEFT JOIN resource.recipe_versions v ON v.project_id = r.project_id AND v.name = r.name AND v.version = coalesce(n.version, r.head)`;

type Found = { ord: number; head: number } & { [K in keyof RecipeRow]: RecipeRow[K] | null };

/** `recipe` is null if only the version is not there; `newest` then says which is the last one. */
export type FoundRecipe = { newest: number; recipe: ReturnType<typeof recipeOf> | null };

/** One for each, in order; null where no recipe has that name. */
export async function findRecipes(
  reader: Reader,
  input: { project_id: string; refs: RecipeRef[] },
): Promise<(FoundRecipe | null)[]> {
  const { project_id, refs } = input;
  if (refs.length === 0) return [];
  const values = [project_id, refs.map((ref) => ref.name), refs.map((ref) => ref.version ?? null)];
  const rows = await read<Found>(reader, "recipes_find", FIND, values);
  const found = new Map(rows.map(({ ord, head, ...row }) => [ord, { newest: head, recipe: versionOf(row) }]));
  return refs.map((_, i) => found.get(i + 1) ?? null);
}

const versionOf = (row: Omit<Found, "ord" | "head">): FoundRecipe["recipe"] =>
  row.version === null ? null : recipeOf(row as RecipeRow);
