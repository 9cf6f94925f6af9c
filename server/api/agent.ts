// Agents for the browser: the roster with what each does now, and one agent with its turns and relations.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { listAgentLines } from "@/server/kernel/read-models/list-agent-lines";
import { listTurns } from "@/server/kernel/read-models/list-turns";
import { readAgentSheet } from "@/server/kernel/read-models/read-agent-sheet";
import { procedure, router } from "./trpc";

const One = z.strictObject({ project_id: Id, agent_id: Id });

export const agentRouter = router({
  list: procedure
    .input(
      PageQuery.extend({
        project_id: Id,
        profile_name: z.string().max(200).optional(),
        worker_target: z.string().max(64).optional(),
        words: z.string().max(200).optional(),
      }),
    )
    .query(({ ctx, input }) => {
      const { cursor, ...query } = input;
      return listAgentLines(ctx.kernel, { ...query, after_agent_id: cursor });
    }),
  /** Those that a frame named. */
  again: procedure
    .input(z.strictObject({ project_id: Id, agent_ids: z.array(Id).max(100) }))
    .query(({ ctx, input }) => listAgentLines(ctx.kernel, { ...input, limit: 100 })),
  get: procedure.input(One).query(({ ctx, input }) => readAgentSheet(ctx.kernel, input)),
  turns: procedure.input(PageQuery.extend(One.shape)).query(({ ctx, input }) => listTurns(ctx.kernel, input)),
});
