// Saved hand-over recipes and their versions.
import * as z from "zod";
import { listAnswer } from "@/server/contract/answers/page";
import { Recipe, Regression } from "@/server/contract/answers/recipes";
import { INT_MAX } from "@/server/contract/bounds";
import { NewRecipe } from "@/server/contract/recipe";
import { RegressInput } from "@/server/contract/regression";
import { regressRecipe } from "@/server/kernel/plan/regress-recipe";
import { deleteRecipe } from "@/server/kernel/roster/delete-recipe";
import { listRecipes, listRecipeVersions, readRecipe } from "@/server/kernel/roster/read-recipes";
import { saveRecipe } from "@/server/kernel/roster/save-recipe";
import { id, reply, route } from "../route";

const named = (params: Record<string, string>) => ({ project_id: id(params, "project_id"), name: params.name ?? "" });

export const recipeRoutes = [
  route({
    operationId: "listRecipes",
    method: "GET",
    path: "/projects/{project_id}/recipes",
    summary: "List the recipes of a project by name, each with its newest version",
    answer: listAnswer(Recipe),
    call: async ({ kernel, params }) => ({ items: await listRecipes(kernel, id(params, "project_id")) }),
  }),
  route({
    operationId: "saveRecipe",
    method: "POST",
    path: "/projects/{project_id}/recipes",
    summary:
      "Save a hand-over recipe. Under a taken name this is its next version, or 200 if the newest version is the same already",
    body: NewRecipe,
    answer: Recipe,
    status: 201,
    sameStatus: 200,
    call: async ({ kernel, params, body }) => {
      const { recipe, is_new } = await saveRecipe(kernel, { project_id: id(params, "project_id"), ...body });
      return reply(is_new ? 201 : 200, recipe);
    },
  }),
  route({
    operationId: "getRecipe",
    method: "GET",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "Get a recipe: its newest version, or the one that `version` names",
    query: z.strictObject({ version: z.coerce.number().int().min(1).max(INT_MAX).optional() }),
    answer: Recipe,
    call: ({ kernel, params, query }) => readRecipe(kernel, { ...named(params), version: query.version }),
  }),
  route({
    operationId: "listRecipeVersions",
    method: "GET",
    path: "/projects/{project_id}/recipes/{name}/versions",
    summary: "List the versions of a recipe, newest first",
    answer: listAnswer(Recipe),
    call: async ({ kernel, params }) => ({ items: await listRecipeVersions(kernel, named(params)) }),
  }),
  route({
    operationId: "regressRecipe",
    method: "POST",
    path: "/projects/{project_id}/recipes/{name}:regress",
    summary:
      "Pack the last hand-overs again by another hand-over, dry: which cards it would leave out, add and keep. Writes nothing",
    body: RegressInput,
    answer: Regression,
    call: ({ kernel, params, body }) => regressRecipe(kernel, { ...named(params), ...body, user: "regress" }),
  }),
  route({
    operationId: "deleteRecipe",
    method: "DELETE",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "Delete a recipe. Boxes that were packed with it stay",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteRecipe(kernel, named(params));
      return reply(204);
    },
  }),
];
