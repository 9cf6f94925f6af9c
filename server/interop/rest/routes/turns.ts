// Turns, and the exact request a model saw at a step.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { turnStatuses } from "@/server/contract/turn";
import { listTurns } from "@/server/kernel/graph/list-turns";
import { readStepRequest } from "@/server/kernel/graph/read-step-request";
import { readTurnDetail } from "@/server/kernel/graph/read-turn-detail";
import { id, route } from "../route";

const TurnsQuery = PageQuery.extend({
  agent_id: Id.optional(),
  status: z.enum(turnStatuses).optional(),
  root_turn_id: Id.optional(),
  trace_id: Id.optional(),
}).strict();

export const turnRoutes = [
  route({
    method: "GET",
    path: "/projects/{project_id}/turns",
    summary: "Turns, the newest first",
    query: TurnsQuery,
    answer: "Turn[]",
    call: ({ kernel, params, query }) => listTurns(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}",
    summary: "One turn with chain, steps, boxes and children",
    answer: "TurnDetail",
    call: ({ kernel, params }) =>
      readTurnDetail(kernel, { project_id: id(params, "project_id"), agent_turn_id: id(params, "agent_turn_id") }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}/messages",
    summary: "The exact request the model saw at a step (the last one without `step`)",
    query: z.strictObject({ step: z.coerce.number().int().positive().optional() }),
    answer: "StepRequest",
    call: ({ kernel, params, query }) =>
      readStepRequest(kernel, {
        project_id: id(params, "project_id"),
        agent_turn_id: id(params, "agent_turn_id"),
        ordinal: query.step,
      }),
  }),
];
