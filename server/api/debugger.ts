// The debugger for the browser: what a hand-over passed on, where words came from, and what two boxes,
// requests or runs differ in.
import * as z from "zod";
import { BlameBody } from "@/server/contract/blame";
import { BoxDiffQuery } from "@/server/contract/box-diff/box-diff";
import { HandoverQuery } from "@/server/contract/handover-diff";
import { Id } from "@/server/contract/ids";
import { RepackBody } from "@/server/contract/repack";
import { CompareQuery } from "@/server/contract/run-compare/run-comparison";
import { blame } from "@/server/kernel/debugger/blame";
import { compareRuns } from "@/server/kernel/debugger/compare-runs";
import { diffBoxes } from "@/server/kernel/debugger/diff-boxes";
import { diffSteps } from "@/server/kernel/debugger/diff-steps";
import { readAgentPrefix } from "@/server/kernel/debugger/read-agent-prefix";
import { readBatchPrefix } from "@/server/kernel/debugger/read-batch-prefix";
import { readBatchRepeats } from "@/server/kernel/debugger/read-batch-repeats";
import { readHandover } from "@/server/kernel/debugger/read-handover";
import { readPartners } from "@/server/kernel/debugger/read-partners";
import { repackHandover } from "@/server/kernel/debugger/repack-handover";
import { procedure, router } from "./trpc";

const Two = BoxDiffQuery.extend({ project_id: Id, of: z.enum(["boxes", "steps"]).default("boxes"), a: Id, b: Id });

export const debuggerRouter = router({
  handover: procedure
    .input(HandoverQuery.extend({ project_id: Id, agent_turn_id: Id }))
    .query(({ ctx, input }) => readHandover(ctx.kernel, input)),
  /** The same hand-over packed again, dry. A mutation although it writes nothing: arguments may not fit into a query's URL. */
  repack: procedure
    .input(RepackBody.extend({ project_id: Id, agent_turn_id: Id }))
    .mutation(({ ctx, input }) => repackHandover(ctx.kernel, { ...input, user: ctx.user })),
  blame: procedure.input(BlameBody.safeExtend({ project_id: Id })).query(({ ctx, input }) => blame(ctx.kernel, input)),
  diff: procedure
    .input(Two)
    .query(({ ctx, input: { of, ...two } }) =>
      of === "boxes" ? diffBoxes(ctx.kernel, two) : diffSteps(ctx.kernel, two),
    ),
  /** Two runs turn by turn. */
  compare: procedure
    .input(CompareQuery.extend({ project_id: Id, a: Id, b: Id }))
    .query(({ ctx, input }) => compareRuns(ctx.kernel, input)),
  /** How far the requests of an agent begin alike. */
  agent_prefix: procedure
    .input(z.strictObject({ project_id: Id, agent_id: Id }))
    .query(({ ctx, input }) => readAgentPrefix(ctx.kernel, input)),
  /** How far the first requests of the branches of a fork begin alike. */
  batch_prefix: procedure
    .input(z.strictObject({ project_id: Id, batch_id: Id }))
    .query(({ ctx, input }) => readBatchPrefix(ctx.kernel, input)),
  batch_repeats: procedure
    .input(z.strictObject({ project_id: Id, batch_id: Id }))
    .query(({ ctx, input }) => readBatchRepeats(ctx.kernel, input)),
  /** The boxes that are worth comparing one with. */
  partners: procedure
    .input(z.strictObject({ project_id: Id, box_id: Id }))
    .query(({ ctx, input }) => readPartners(ctx.kernel, input)),
});
