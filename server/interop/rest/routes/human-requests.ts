// What agents ask people, and the decision: an answer, an approval or a denial.
import * as z from "zod";
import { HumanRequest, HumanRequestLine } from "@/server/contract/answers/human-requests";
import { pageAnswer } from "@/server/contract/answers/page";
import { Decision, humanRequestKinds, humanRequestStatuses } from "@/server/contract/asking";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { StopBody } from "@/server/contract/work";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { listHumanRequests, readHumanRequest } from "@/server/kernel/read-models/list-human-requests";
import { id, type Route, route } from "../route";

const RequestsQuery = PageQuery.extend({
  status: z.enum(humanRequestStatuses).optional(),
  kind: z.enum(humanRequestKinds).optional(),
  agent_turn_id: Id.optional(),
  root_turn_id: Id.optional(),
}).strict();

const one = "/projects/{project_id}/human-requests/{request_id}";
const requestOf = (params: Record<string, string>) => ({
  project_id: id(params, "project_id"),
  request_id: id(params, "request_id"),
});

const summaries = {
  answer: "Answer a question. 409 with the current request if it is already decided",
  approve: "Approve a tool call. `arguments` replace those of the model. 409 as for :answer",
  deny: "Deny a tool call. The agent gets the reason and continues. 409 as for :answer",
};

export const humanRequestRoutes: Route[] = [
  route({
    operationId: "listHumanRequests",
    method: "GET",
    path: "/projects/{project_id}/human-requests",
    summary: "List what agents ask people: with `status=open` oldest first, otherwise newest first",
    query: RequestsQuery,
    answer: pageAnswer(HumanRequestLine).extend({ open_count: z.number() }),
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await listHumanRequests(kernel, {
        project_id: id(params, "project_id"),
        ...query,
      });
      return page;
    },
  }),
  route({
    operationId: "getHumanRequest",
    method: "GET",
    path: one,
    summary: "Get a request, with who asks and the chain of turns from the person",
    answer: HumanRequestLine,
    call: ({ kernel, params }) => readHumanRequest(kernel, requestOf(params)),
  }),
  ...Decision.options.map((option) => {
    const { action, ...given } = option.shape;
    const [name] = action.values;
    return route({
      operationId: `${name}HumanRequest`,
      method: "POST",
      path: `${one}:${name}`,
      summary: summaries[name ?? "answer"],
      body: z.strictObject({ ...given, user: StopBody.shape.user }),
      answer: HumanRequest,
      call: ({ kernel, params, body }) => {
        const { user, ...said } = body;
        return decideRequest(kernel, {
          ...requestOf(params),
          by: user,
          decision: { action: name, ...said } as z.infer<typeof Decision>,
        });
      },
    });
  }),
];
