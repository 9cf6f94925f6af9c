// Agents for the browser: the roster, and one of them with its turns and its ties to others.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { listAgents, readAgent } from "@/server/kernel/roster/read-agents";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, agent_id: Id });

export const agentRouter = router({
  list: procedure
    .input(
      z.strictObject({
        project_id: Id,
        profile_name: z.string().optional(),
        worker_target: z.string().optional(),
        after_agent_id: Id.optional(),
        limit: z.int().min(1).max(500).optional(),
      }),
    )
    .query(({ ctx, input }) => listAgents(ctx.kernel, input)),
  get: procedure.input(One).query(({ ctx, input }) => readAgent(ctx.kernel, input)),
});
