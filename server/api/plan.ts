// Plans for the browser: the list, one as text, publishing, archiving and deleting. A launch is delegation.launch.
import * as z from "zod";
import { INT_MAX } from "@/server/contract/bounds";
import { Id } from "@/server/contract/ids";
import { CheckInput, LiftInput, PublishInput } from "@/server/contract/plan/plan-record";
import { changePlan, deletePlan } from "@/server/kernel/plan/change-plan";
import { checkLaunch } from "@/server/kernel/plan/check-launch";
import { liftPlan } from "@/server/kernel/plan/lift-plan";
import { publishPlan } from "@/server/kernel/plan/publish-plan";
import { listDrafts } from "@/server/kernel/plan/read-drafts";
import { createDraft, deleteDraft, saveDraft } from "@/server/kernel/plan/save-draft";
import { listPlanLines } from "@/server/kernel/read-models/list-plan-lines";
import { readDrawing } from "@/server/kernel/read-models/read-drawing";
import { readPlanGraph } from "@/server/kernel/read-models/read-plan-graph";
import { readPlanSheet } from "@/server/kernel/read-models/read-plan-sheet";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, name: z.string().min(1).max(120) });
const Version = z.number().int().min(1).max(1_000_000);
/** As the kernel makes them. */
const DRAFT_ID = /^draft_[0-9a-f]{32}$/;
const Draft = { body: z.unknown(), base_version: Version.optional() };

export const planRouter = router({
  lines: procedure
    .input(z.strictObject({ project_id: Id, archived: z.boolean().default(false) }))
    .query(({ ctx, input }) => listPlanLines(ctx.kernel, input)),
  /** Without `version` the newest. */
  sheet: procedure
    .input(One.extend({ version: Version.optional() }))
    .query(({ ctx, input }) => readPlanSheet(ctx.kernel, input)),
  /** A plan as it is drawn: what its graph and the project lack. A mutation because it is too long for an address; writes nothing. */
  check: procedure
    .input(CheckInput.safeExtend({ project_id: Id }))
    .mutation(({ ctx, input }) => checkLaunch(ctx.kernel, { ...input, user: ctx.user, offer: readOffers })),
  /** What the composer opens. */
  drawing: procedure
    .input(
      z.strictObject({
        project_id: Id,
        plan: z.string().min(1).max(120).optional(),
        version: Version.optional(),
        draft_id: Id.optional(),
      }),
    )
    .query(({ ctx, input }) => readDrawing(ctx.kernel, { ...input, user: ctx.user })),
  drafts: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => listDrafts(ctx.kernel, { ...input, user: ctx.user })),
  /** `draft_id` is made by the browser, so that a lost answer does not make a second draft. */
  create_draft: procedure
    .input(
      z.strictObject({
        project_id: Id,
        plan: z.string().min(1).max(120).optional(),
        draft_id: z.string().regex(DRAFT_ID, "is not the id of a draft").optional(),
        ...Draft,
      }),
    )
    .mutation(({ ctx, input }) => createDraft(ctx.kernel, { ...input, user: ctx.user })),
  /** conflict where the draft went on elsewhere, with the newer one in `detail.draft`. */
  save_draft: procedure
    .input(z.strictObject({ project_id: Id, draft_id: Id, rev: z.number().int().min(1).max(INT_MAX), ...Draft }))
    .mutation(({ ctx, input }) => saveDraft(ctx.kernel, { ...input, user: ctx.user })),
  remove_draft: procedure
    .input(z.strictObject({ project_id: Id, draft_id: Id, rev: z.number().int().min(1).max(INT_MAX).optional() }))
    .mutation(({ ctx, input }) => deleteDraft(ctx.kernel, { ...input, user: ctx.user })),
  /** Makes a plan from a turn, a batch or a plan run. Writes nothing. */
  lift: procedure.input(LiftInput.extend({ project_id: Id })).query(({ ctx, input }) => liftPlan(ctx.kernel, input)),
  /** `body_rev` makes another revision another question: an answer is kept for as long as it is true. */
  graph: procedure
    .input(z.strictObject({ project_id: Id, plan_run_id: Id, body_rev: z.number().int().min(1).max(INT_MAX) }))
    .query(({ ctx, input }) => readPlanGraph(ctx.kernel, input)),
  publish: procedure
    .input(z.strictObject({ project_id: Id, ...PublishInput.omit({ user: true }).shape }))
    .mutation(({ ctx, input }) => publishPlan(ctx.kernel, { ...input, body: input.body, user: ctx.user })),
  archive: procedure
    .input(One.extend({ archived: z.boolean() }))
    .mutation(({ ctx, input: { archived, ...at } }) => changePlan(ctx.kernel, { ...at, change: { archived } })),
  remove: procedure.input(One).mutation(({ ctx, input }) => deletePlan(ctx.kernel, input)),
});
