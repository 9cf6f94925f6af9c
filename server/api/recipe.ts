// Recipes for the browser: what a hand-over may be packed with.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { listRecipes, listRecipeVersions } from "@/server/kernel/roster/read-recipes";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, name: z.string().trim().min(1).max(120) });

export const recipeRouter = router({
  /** The newest version of each. */
  list: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listRecipes(ctx.kernel, input.project_id)),
  /** Newest first. */
  versions: procedure.input(One).query(({ ctx, input }) => listRecipeVersions(ctx.kernel, input)),
});
