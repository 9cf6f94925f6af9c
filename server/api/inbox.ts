// The inbox page: what waits in the project and what has waited; what agents ask people, and the answers.
import * as z from "zod";
import { Decision, humanRequestStatuses } from "@/server/contract/asking";
import { Id } from "@/server/contract/ids";
import { inboxStatuses, messageTypes } from "@/server/contract/inbox-line";
import { PageQuery } from "@/server/contract/page";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { countOpenRequests, listHumanRequests } from "@/server/kernel/read-models/list-human-requests";
import { listInbox } from "@/server/kernel/read-models/list-inbox";
import { readQueue } from "@/server/kernel/read-models/read-queue";
import { procedure, router } from "./trpc";

export const inboxRouter = router({
  list: procedure
    .input(
      PageQuery.extend({
        project_id: Id,
        agent_id: Id.optional(),
        status: z.enum(inboxStatuses).optional(),
        message_type: z.enum(messageTypes).optional(),
        state: z.enum(["open", "ended"]).optional(),
      }),
    )
    .query(({ ctx, input }) => listInbox(ctx.kernel, input)),

  requests: procedure
    .input(
      PageQuery.extend({
        project_id: Id,
        status: z.enum(humanRequestStatuses).optional(),
        agent_turn_id: Id.optional(),
      }),
    )
    .query(({ ctx, input }) => listHumanRequests(ctx.kernel, input)),

  open_requests: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => countOpenRequests(ctx.kernel, input)),

  queue: procedure
    .input(z.strictObject({ project_id: Id }))
    .query(({ ctx, input }) => readQueue(ctx.kernel, input.project_id)),

  /** conflict if somebody else was faster, with the current request in `detail.request`. */
  decide: procedure
    .input(z.strictObject({ project_id: Id, request_id: Id, decision: Decision }))
    .mutation(({ ctx, input }) => decideRequest(ctx.kernel, { ...input, by: ctx.user })),
});
