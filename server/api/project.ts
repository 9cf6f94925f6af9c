// Projects for the browser: the list, one of them, and every change a person may make.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { NewProject, ProjectPatch } from "@/server/contract/project";
import { readProjectContents } from "@/server/kernel/read-models/read-project-contents";
import { createProject } from "@/server/kernel/roster/create-project";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { readProject } from "@/server/kernel/roster/read-project";
import { updateProject } from "@/server/kernel/roster/update-project";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id });

export const projectRouter = router({
  list: procedure.query(({ ctx }) => listProjects(ctx.kernel)),
  get: procedure.input(One).query(({ ctx, input }) => readProject(ctx.kernel, input.project_id)),
  contents: procedure.input(One).query(({ ctx, input }) => readProjectContents(ctx.kernel, input.project_id)),
  create: procedure
    .input(NewProject)
    .mutation(({ ctx, input }) => createProject(ctx.kernel, { owner_id: ctx.user, ...input })),
  update: procedure
    .input(z.strictObject({ ...One.shape, ...ProjectPatch.shape }))
    .mutation(({ ctx, input }) => updateProject(ctx.kernel, input)),
  remove: procedure.input(One).mutation(({ ctx, input }) => deleteProject(ctx.kernel, input.project_id)),
});
