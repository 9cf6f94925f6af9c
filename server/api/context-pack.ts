// Context packs for the browser: the list, one with its sidecar, a build that is tried or done, and two that are compared.
import * as z from "zod";
import { PackToBuild } from "@/server/contract/context-pack/request";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { buildContextPack } from "@/server/kernel/packs/build-context-pack";
import { diffContextPacks } from "@/server/kernel/packs/diff-context-packs";
import { estimateContextPack } from "@/server/kernel/packs/estimate-context-pack";
import { listPacks, readPack } from "@/server/kernel/packs/read-packs";
import { verifyContextPack } from "@/server/kernel/packs/verify-context-pack";
import { listPackHolders } from "@/server/kernel/read-models/list-pack-holders";
import { readProject } from "@/server/kernel/roster/read-project";
import { procedure, router } from "./trpc";

/** An id, a code such as P-31D0, or a SHA-256. */
const name = z.string().min(1).max(200);
const One = z.strictObject({ project_id: Id, pack: name });
const Build = z.strictObject({ project_id: Id, request: PackToBuild });

export const contextPackRouter = router({
  list: procedure
    .input(PageQuery.extend({ project_id: Id, root_turn_id: Id.optional(), q: z.string().max(400).optional() }))
    .query(({ ctx, input }) => listPacks(ctx.kernel, input)),
  get: procedure.input(One).query(({ ctx, input }) => readPack(ctx.kernel, input)),
  /** The boxes that hold it. */
  boxes: procedure.input(One).query(({ ctx, input }) => listPackHolders(ctx.kernel, input)),
  diff: procedure
    .input(z.strictObject({ project_id: Id, before: name, after: name }))
    .query(({ ctx, input }) => diffContextPacks(ctx.kernel, input)),
  /** Writes nothing. Not a query: a form is longer than an address may be. */
  estimate: procedure.input(Build).mutation(({ ctx, input }) => estimateContextPack(ctx.kernel, input)),
  build: procedure.input(Build).mutation(async ({ ctx, input }) => {
    await readProject(ctx.kernel, input.project_id);
    return buildContextPack(ctx.kernel, { ...input, created_by: ctx.user });
  }),
  verify: procedure.input(One).mutation(({ ctx, input }) => verifyContextPack(ctx.kernel, input)),
});
