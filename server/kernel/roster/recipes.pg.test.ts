// Versions of recipes: never changed, never reused, and gone with their project alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { Handover } from "@/server/contract/pack";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deleteProject } from "./delete-project";
import { deleteRecipe } from "./delete-recipe";
import { listRecipes, listRecipeVersions, readRecipe } from "./read-recipes";
import { saveRecipe } from "./save-recipe";

let kernel: TestKernel;
const P = "recipes";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

const without = (...exclude_types: string[]) =>
  Handover.parse({ context_packing_config: { inherit_context: { exclude_types } } });
const save = (name: string, handover: Handover, project_id = P) =>
  saveRecipe(kernel, { project_id, name, handover, user: "ann" });
const numbers = async (name: string) =>
  (await listRecipeVersions(kernel, { project_id: P, name })).map(({ version }) => version);

test("another hand-over under a taken name is the next version; the same one is none", async () => {
  expect((await save("a", without("x"))).recipe).toMatchObject({ version: 1, created_by: "ann" });
  expect(await save("a", without("y"))).toMatchObject({ is_new: true, recipe: { version: 2 } });
  expect(await save("a", without("y"))).toMatchObject({ is_new: false, recipe: { version: 2 } });
  // What an older version said may be the newest again.
  expect(await save("a", without("x"))).toMatchObject({ is_new: true, recipe: { version: 3 } });
  expect(await numbers("a")).toEqual([3, 2, 1]);
  expect((await readRecipe(kernel, { project_id: P, name: "a", version: 2 })).handover).toEqual(without("y"));
  expect((await listRecipes(kernel, P)).map(({ name, version }) => [name, version])).toEqual([["a", 3]]);
});

test("ten at once make ten versions, and ten times the same makes one", async () => {
  await Promise.all(Array.from({ length: 10 }, (_, i) => save("many", without(`t${i}`))));
  expect(await numbers("many")).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const made = await Promise.all(Array.from({ length: 10 }, () => save("one", without("x"))));
  expect(made.filter(({ is_new }) => is_new)).toHaveLength(1);
  expect(await numbers("one")).toEqual([1]);
});

test("a deleted recipe's versions stay, and its numbers are not given again", async () => {
  await save("gone", without("x"));
  await save("gone", without("y"));
  await deleteRecipe(kernel, { project_id: P, name: "gone" });
  await expect(numbers("gone")).rejects.toMatchObject({ code: "not_found" });
  expect(await save("gone", without("y"))).toMatchObject({ is_new: true, recipe: { version: 2 } });
  await deleteRecipe(kernel, { project_id: P, name: "gone" });
  expect((await save("gone", without("z"))).recipe.version).toBe(3);
});

test("the database itself refuses a change and a deletion, but for its project's", async () => {
  await seedProject(kernel, "short", [{ name: "Boss" }]);
  await save("a", without("x"), "short");
  for (const change of [
    "UPDATE resource.recipe_versions SET handover = '{}' WHERE project_id = 'short'",
    "DELETE FROM resource.recipe_versions WHERE project_id = 'short'",
  ])
    await expect(kernel.test.pool.query(change)).rejects.toThrow(/versions of recipes never change/);
  await deleteProject(kernel, "short");
  const left = "SELECT 1 FROM resource.recipe_versions WHERE project_id = 'short'";
  expect((await kernel.test.pool.query(left)).rows).toEqual([]);
});
