// The inbox page: what waits in the project, and what has waited.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { inboxStatuses, messageTypes } from "@/server/contract/inbox-line";
import { PageQuery } from "@/server/contract/page";
import { listInbox } from "@/server/kernel/graph/list-inbox";
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
});
