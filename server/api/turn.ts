// One turn for the inspector, and its end by a person's hand.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { readTurnDetail } from "@/server/kernel/graph/read-turn-detail";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, agent_turn_id: Id });

export const turnRouter = router({
  detail: procedure.input(One).query(({ ctx, input }) => readTurnDetail(ctx.kernel, input)),

  /** Answers the turns that it ended; none when all of them had ended already. */
  stop: procedure
    .input(
      z.strictObject({
        ...One.shape,
        scope: z.enum(["turn", "subtree"]),
        reason: z.string().trim().max(500, "a reason has at most 500 letters").optional(),
      }),
    )
    .mutation(({ ctx, input }) => stopTurn(ctx.kernel, { ...input, by: ctx.user })),
});
