// The inbox: what waits, why, and how old it is.
import * as z from "zod";
import { InboxLine } from "@/server/contract/answers/inbox";
import { pageAnswer } from "@/server/contract/answers/page";
import { Id } from "@/server/contract/ids";
import { inboxStatuses, messageTypes } from "@/server/contract/inbox-line";
import { PageQuery } from "@/server/contract/page";
import { listInbox } from "@/server/kernel/read-models/list-inbox";
import { id, route } from "../route";

const InboxQuery = PageQuery.extend({
  agent_id: Id.optional(),
  status: z.enum(inboxStatuses).optional(),
  message_type: z.enum(messageTypes).optional(),
}).strict();

export const inboxRoutes = [
  route({
    operationId: "listInbox",
    method: "GET",
    path: "/projects/{project_id}/inbox",
    summary: "List inbox rows with age and reason: open ones first, oldest first, then ended ones, newest first",
    query: InboxQuery,
    answer: pageAnswer(InboxLine),
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await listInbox(kernel, {
        project_id: id(params, "project_id"),
        ...query,
      });
      return page;
    },
  }),
];
