// Recipes for the browser: what a hand-over may be packed with.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { NewRecipe } from "@/server/contract/recipe";
import { RegressInput } from "@/server/contract/regression";
import { regressRecipe } from "@/server/kernel/plan/regress-recipe";
import { listRecipes, listRecipeVersions } from "@/server/kernel/roster/read-recipes";
import { saveRecipe } from "@/server/kernel/roster/save-recipe";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, name: z.string().trim().min(1).max(120) });

export const recipeRouter = router({
  /** The newest version of each. */
  list: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listRecipes(ctx.kernel, input.project_id)),
  /** Newest first. */
  versions: procedure.input(One).query(({ ctx, input }) => listRecipeVersions(ctx.kernel, input)),
  /** The next version under a taken name; none if the newest is the same already. */
  save: procedure
    .input(z.strictObject({ project_id: Id, ...NewRecipe.omit({ user: true }).shape }))
    .mutation(({ ctx, input }) => saveRecipe(ctx.kernel, { ...input, user: ctx.user })),
  /** The last real hand-overs packed again by this one. A mutation because it is too long for an address; writes nothing. */
  regress: procedure
    .input(One.extend(RegressInput.shape))
    .mutation(({ ctx, input }) => regressRecipe(ctx.kernel, { ...input, user: ctx.user })),
});
