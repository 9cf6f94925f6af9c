// Hand-over recipes, kept under a name.
import { NewRecipe } from "@/server/contract/recipe";
import { deleteRecipe } from "@/server/kernel/roster/delete-recipe";
import { listRecipes, readRecipe } from "@/server/kernel/roster/read-recipes";
import { saveRecipe } from "@/server/kernel/roster/save-recipe";
import { id, reply, route } from "../route";

export const recipeRoutes = [
  route({
    method: "GET",
    path: "/projects/{project_id}/recipes",
    summary: "The recipes of a project by name",
    answer: "Recipe[]",
    call: async ({ kernel, params }) => ({ items: await listRecipes(kernel, id(params, "project_id")) }),
  }),
  route({
    method: "POST",
    path: "/projects/{project_id}/recipes",
    summary: "Keep a hand-over recipe; one of the same name is replaced",
    body: NewRecipe,
    answer: "Recipe",
    status: 201,
    call: ({ kernel, params, body }) => saveRecipe(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "One recipe",
    answer: "Recipe",
    call: ({ kernel, params }) => readRecipe(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" }),
  }),
  route({
    method: "DELETE",
    path: "/projects/{project_id}/recipes/{name}",
    summary: "Forget a recipe; what was packed with it stays",
    answer: "nothing",
    status: 204,
    call: async ({ kernel, params }) => {
      await deleteRecipe(kernel, { project_id: id(params, "project_id"), name: params.name ?? "" });
      return reply(204);
    },
  }),
];
