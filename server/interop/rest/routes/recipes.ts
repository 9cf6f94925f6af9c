// Saved hand-over recipes.
import { listAnswer } from "@/server/contract/answers/page";
import { Recipe } from "@/server/contract/answers/recipes";
import { NewRecipe } from "@/server/contract/recipe";
import { deleteRecipe } from "@/server/kernel/roster/delete-recipe";
import { listRecipes, readRecipe } from "@/server/kernel/roster/read-recipes";
import { saveRecipe } from "@/server/kernel/roster/save-recipe";
import { id, reply, route } from "../route";

export const recipeRoutes = [
  route({
    operationId: "listRecipes",
    method: "GET",
    path: "/projects/{project_id}/recipes",
    summary: "List the recipes of a project by name",
    answer: listAnswer(Recipe),
    call: async ({ kernel, params }) => ({ items: await listRecipes(kernel, id(params, "project_id")) }),
  }),
  route({
    operationId: "saveRecipe",
    method: "POST",
    path: "/projects/{project_id}/recipes",
    summary: "Save a hand-over recipe. One with the same name is replaced",
    body: NewRecipe,
    answer: Recipe,
    status: 201,
    call: ({ kernel, params, body }) => saveRecipe(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    operationId: "getRecipe",
    method: "GET",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "Get a recipe",
    answer: Recipe,
    call: ({ kernel, params }) => readRecipe(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" }),
  }),
  route({
    operationId: "deleteRecipe",
    method: "DELETE",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "Delete a recipe. Boxes that were packed with it stay",

    status: 204,
    call: async ({ kernel, params }) => {
      await deleteRecipe(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" });
      return reply(204);
    },
  }),
];
