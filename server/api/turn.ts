// One turn for the inspector and its page, step by step, and a person's actions: stop, run again, fork.
import * as z from "zod";
import { INT_MAX } from "@/server/contract/bounds";
import { ForkBody } from "@/server/contract/fork-turn";
import { Id } from "@/server/contract/ids";
import { RerunBody } from "@/server/contract/rerun";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { rerunTurn } from "@/server/kernel/launch/rerun-turn";
import { readStepRequest } from "@/server/kernel/read-models/read-step-request";
import { readStepSheet, readStepText } from "@/server/kernel/read-models/read-step-sheet";
import { readTurnDetail } from "@/server/kernel/read-models/read-turn-detail";
import { readTurnSheet } from "@/server/kernel/read-models/read-turn-sheet";
import { streamThinking } from "@/server/kernel/read-models/stream-thinking";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, agent_turn_id: Id });
const Step = One.extend({ step_id: Id });

export const turnRouter = router({
  detail: procedure.input(One).query(({ ctx, input }) => readTurnDetail(ctx.kernel, input)),
  sheet: procedure.input(One).query(({ ctx, input }) => readTurnSheet(ctx.kernel, input)),
  step: procedure.input(Step).query(({ ctx, input }) => readStepSheet(ctx.kernel, input)),
  /** The full text of one that `step` has cut. */
  text: procedure
    .input(Step.extend({ part: z.union([z.literal("system"), z.int().min(0).max(INT_MAX)]) }))
    .query(({ ctx, input }) => readStepText(ctx.kernel, input)),
  /** The request as sent, byte for byte. */
  wire: procedure.input(One.extend({ ordinal: z.int().min(1).max(INT_MAX) })).query(async ({ ctx, input }) => {
    const { request_text, request_sha256 } = await readStepRequest(ctx.kernel, input);
    return { request_text, request_sha256 };
  }),

  /** Yields its model's text in pieces without gaps, from the beginning of the current step. */
  thinking: procedure
    .input(One)
    .subscription(({ ctx, input, signal }) =>
      streamThinking(ctx.kernel, { ...input, signal: signal ?? new AbortController().signal }),
    ),

  /** Returns the turns that it ended; none if all had already ended. */
  stop: procedure
    .input(
      z.strictObject({
        ...One.shape,
        scope: z.enum(["turn", "subtree"]),
        reason: z.string().trim().max(500, "a reason has at most 500 characters").optional(),
      }),
    )
    .mutation(({ ctx, input }) => stopTurn(ctx.kernel, { ...input, by: ctx.user })),

  /** Both return the new turn. */
  rerun: procedure
    .input(RerunBody.omit({ user: true }).extend(One.shape))
    .mutation(({ ctx, input }) => rerunTurn(ctx.kernel, { ...input, user: ctx.user })),
  fork: procedure
    .input(ForkBody.omit({ user: true }).extend(One.shape))
    .mutation(({ ctx, input }) => forkTurn(ctx.kernel, { ...input, user: ctx.user })),
});
