// Workspaces for the browser: those of a project, the folders it may register, and one that is indexed or deleted. Uploads go
// over REST, which streams them.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { WorkspaceName } from "@/server/contract/workspace";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { deleteWorkspace } from "@/server/kernel/workspaces/delete-workspace";
import { indexWorkspace } from "@/server/kernel/workspaces/index-workspace";
import { listFolders } from "@/server/kernel/workspaces/list-folders";
import { listWorkspaces } from "@/server/kernel/workspaces/read-workspaces";
import { saveWorkspace } from "@/server/kernel/workspaces/save-workspace";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, name: WorkspaceName });

export const workspaceRouter = router({
  list: procedure.input(z.strictObject({ project_id: Id })).query(async ({ ctx, input: { project_id } }) => {
    await readProject(ctx.kernel, project_id);
    return { items: await listWorkspaces(ctx.kernel, project_id), folders: listFolders(ctx.kernel, project_id) };
  }),
  /** Registers a folder and begins to index it. */
  register: procedure.input(One).mutation(async ({ ctx, input }) => {
    await readProject(ctx.kernel, input.project_id);
    await withUnit(ctx.kernel, (unit) => saveWorkspace(unit, { ...input, kind: "folder" }));
    await indexWorkspace(ctx.kernel, input);
  }),
  index: procedure.input(One).mutation(async ({ ctx, input }) => {
    await indexWorkspace(ctx.kernel, input);
  }),
  remove: procedure
    .input(One)
    .mutation(({ ctx, input }) => withUnit(ctx.kernel, (unit) => deleteWorkspace(unit, input))),
});
