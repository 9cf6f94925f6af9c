// Runs of plans for the browser: as they were drawn, edited while they run, decided, stopped, forked and compared.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { Place } from "@/server/contract/plan/plan";
import { EditRunInput, ForkRunInput } from "@/server/contract/plan/plan-record";
import { forkPlanRun, previewForkPlanRun } from "@/server/kernel/launch/fork-plan-run";
import { releaseNode, skipNode } from "@/server/kernel/plan/decide-node";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { retryNode } from "@/server/kernel/plan/retry-node";
import { stopPlanRun } from "@/server/kernel/plan/stop-plan-run";
import { readRunDrawing } from "@/server/kernel/read-models/read-run-drawing";
import { readTurnDifference } from "@/server/kernel/read-models/read-turn-difference";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, plan_run_id: Id });
const Node = One.extend({ node: Place });
const Reason = z.string().trim().max(500, "a reason has at most 500 characters").optional();

export const planRunRouter = router({
  /** A plan run where it was drawn. */
  drawing: procedure
    .input(z.strictObject({ project_id: Id, root_turn_id: Id }))
    .query(({ ctx, input }) => readRunDrawing(ctx.kernel, input)),
  /** The first card that two turns were not both given, and what each delivered. */
  difference: procedure
    .input(z.strictObject({ project_id: Id, a: Id, b: Id }))
    .query(({ ctx, input }) => readTurnDifference(ctx.kernel, input)),
  /** All or none. conflict for an older `body_rev`, with the body in `detail`; packed for a node that has started. */
  edit: procedure
    .input(EditRunInput.omit({ user: true }).extend(One.shape))
    .mutation(({ ctx, input }) => editPlanRun(ctx.kernel, { ...input, by: ctx.user })),
  release: procedure
    .input(Node)
    .mutation(({ ctx, input: { node, ...key } }) => releaseNode(ctx.kernel, { ...key, node_id: node, by: ctx.user })),
  skip: procedure
    .input(Node.extend({ reason: Reason }))
    .mutation(({ ctx, input: { node, reason, ...key } }) =>
      skipNode(ctx.kernel, { ...key, node_id: node, by: ctx.user, reason }),
    ),
  retry: procedure
    .input(Node)
    .mutation(({ ctx, input: { node, ...key } }) => retryNode(ctx.kernel, { ...key, node_id: node })),
  stop: procedure
    .input(One.extend({ reason: Reason }))
    .mutation(({ ctx, input }) => stopPlanRun(ctx.kernel, { ...input, by: ctx.user })),
  /** What a fork would run and what it would take as recorded. A mutation because it is too long for an address; writes nothing. */
  preview_fork: procedure
    .input(ForkRunInput.omit({ user: true, dry_run: true, action_id: true }).extend(One.shape))
    .mutation(({ ctx, input }) => previewForkPlanRun(ctx.kernel, { ...input, user: ctx.user })),
  fork: procedure
    .input(ForkRunInput.omit({ user: true, dry_run: true }).extend(One.shape))
    .mutation(({ ctx, input }) => forkPlanRun(ctx.kernel, { ...input, user: ctx.user })),
});
