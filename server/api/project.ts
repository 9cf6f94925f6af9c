// Projects for the browser: the list, one of them, and every change a person may make.
import * as z from "zod";
import { Retention } from "@/server/contract/answers/deletions";
import { Id } from "@/server/contract/ids";
import { NewProject, ProjectPatch } from "@/server/contract/project";
import { readRetention, setRetention } from "@/server/kernel/deletion/keep-runs";
import { readDemoExtras } from "@/server/kernel/read-models/read-demo-extras";
import { readDemoRun } from "@/server/kernel/read-models/read-demo-run";
import { readProjectContents } from "@/server/kernel/read-models/read-project-contents";
import { createProject } from "@/server/kernel/roster/create-project";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { keepDemo } from "@/server/kernel/roster/keep-demo";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { listRemoved } from "@/server/kernel/roster/list-removed";
import { readProject } from "@/server/kernel/roster/read-project";
import { removeProject, undoRemoval } from "@/server/kernel/roster/remove-project";
import { updateProject } from "@/server/kernel/roster/update-project";
import { anyProject, procedure, router } from "./trpc";

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
  /** Of a demo: what is not the demo's. */
  extras: procedure.input(One).query(({ ctx, input }) => readDemoExtras(ctx.kernel, input.project_id)),
  /** Of a demo: its own run; null = it was deleted. */
  demo_run: procedure.input(One).query(({ ctx, input }) => readDemoRun(ctx.kernel, input.project_id)),
  keep: procedure.input(One).mutation(({ ctx, input }) => keepDemo(ctx.kernel, input.project_id)),
  /** How long it keeps runs; with `days`, what that number would delete. */
  retention: procedure
    .input(z.strictObject({ ...One.shape, days: Retention.shape.days.unwrap().optional() }))
    .query(({ ctx, input }) => readRetention(ctx.kernel, input)),
  keep_runs: procedure
    .input(z.strictObject({ ...One.shape, days: Retention.shape.days }))
    .mutation(({ ctx, input }) => setRetention(ctx.kernel, input)),
  /** Hidden at once, deleted after a while; until then `undo` brings it back. */
  // Of a removed one, too: a repeat whose answer was lost is not refused.
  hide: anyProject.input(One).mutation(({ ctx, input }) => removeProject(ctx.kernel, input.project_id)),
  removed: procedure.query(({ ctx }) => listRemoved(ctx.kernel)),
  undo: anyProject.input(One).mutation(({ ctx, input }) => undoRemoval(ctx.kernel, input.project_id)),
  remove: procedure.input(One).mutation(({ ctx, input }) => deleteProject(ctx.kernel, input.project_id)),
});
