// Saved views for the browser.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { NewView, ViewName } from "@/server/contract/saved-view";
import { deleteView } from "@/server/kernel/roster/delete-view";
import { listViews } from "@/server/kernel/roster/list-views";
import { saveView } from "@/server/kernel/roster/save-view";
import { procedure, router } from "./trpc";

export const viewRouter = router({
  list: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listViews(ctx.kernel, input.project_id)),
  save: procedure
    .input(NewView.extend({ project_id: Id }))
    .mutation(({ ctx, input }) => saveView(ctx.kernel, { ...input, user: ctx.user })),
  remove: procedure
    .input(z.strictObject({ project_id: Id, name: ViewName }))
    .mutation(({ ctx, input }) => deleteView(ctx.kernel, input)),
});
