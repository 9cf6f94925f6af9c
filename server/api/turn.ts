// One turn for the inspector.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { readTurnDetail } from "@/server/kernel/graph/read-turn-detail";
import { procedure, router } from "./trpc";

export const turnRouter = router({
  detail: procedure
    .input(z.object({ project_id: Id, agent_turn_id: Id }))
    .query(({ ctx, input }) => readTurnDetail(ctx.kernel, input)),
});
