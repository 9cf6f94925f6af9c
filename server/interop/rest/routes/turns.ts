// Turns: read, stop and run again; what a model saw at a step, and what to send next.
import * as z from "zod";
import { HandoverSheet, Repack } from "@/server/contract/answers/handover";
import { pageAnswer } from "@/server/contract/answers/page";
import { NextRequest, StepRequest, Turn, TurnDetail } from "@/server/contract/answers/turns";
import { INT_MAX } from "@/server/contract/bounds";
import { ForkBody } from "@/server/contract/fork-turn";
import { HandoverQuery } from "@/server/contract/handover-diff";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { RepackBody } from "@/server/contract/repack";
import { RerunBody } from "@/server/contract/rerun";
import { turnStatuses } from "@/server/contract/turn";
import { StopBody } from "@/server/contract/work";
import { readHandover } from "@/server/kernel/debugger/read-handover";
import { repackHandover } from "@/server/kernel/debugger/repack-handover";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { rerunTurn } from "@/server/kernel/launch/rerun-turn";
import { listTurns } from "@/server/kernel/read-models/list-turns";
import { readNextRequest } from "@/server/kernel/read-models/read-next-request";
import { readStepRequest } from "@/server/kernel/read-models/read-step-request";
import { readTurn } from "@/server/kernel/read-models/read-turn";
import { readTurnDetail } from "@/server/kernel/read-models/read-turn-detail";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { id, route } from "../route";

const TurnsQuery = PageQuery.extend({
  agent_id: Id.optional(),
  status: z.enum(turnStatuses).optional(),
  root_turn_id: Id.optional(),
  trace_id: Id.optional(),
  batch_id: Id.optional(),
}).strict();

const MessagesQuery = z.strictObject({
  step: z.union([z.literal("next"), z.coerce.number().int().min(1).max(INT_MAX)]).optional(),
});

const turnOf = (params: Record<string, string>) => ({
  project_id: id(params, "project_id"),
  agent_turn_id: id(params, "agent_turn_id"),
});

export const turnRoutes = [
  route({
    operationId: "listTurns",
    method: "GET",
    path: "/projects/{project_id}/turns",
    summary: "List turns, newest first",
    query: TurnsQuery,
    answer: pageAnswer(Turn),
    call: ({ kernel, params, query }) => listTurns(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    operationId: "getTurn",
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}",
    summary: "Get a turn with its chain, steps, boxes and children",
    answer: TurnDetail,
    call: ({ kernel, params }) => readTurnDetail(kernel, turnOf(params)),
  }),
  route({
    operationId: "getTurnMessages",
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}/messages",
    summary:
      "Get the exact request that the model saw at a step (the last one without `step`). `step=next`: what to send to a model now",
    query: MessagesQuery,
    answer: z.union([NextRequest, StepRequest]),
    call: ({ kernel, params, query }) =>
      query.step === "next"
        ? readNextRequest(kernel, turnOf(params))
        : readStepRequest(kernel, { ...turnOf(params), ordinal: query.step }),
  }),
  route({
    operationId: "getHandover",
    method: "GET",
    path: "/projects/{project_id}/turns/{agent_turn_id}/handover",
    summary: "Compare what the caller of a turn had, what was packed, and what the turn saw, with one verdict a card",
    query: HandoverQuery,
    answer: HandoverSheet,
    call: ({ kernel, params, query }) => readHandover(kernel, { ...turnOf(params), ...query }),
  }),
  route({
    operationId: "repackHandover",
    method: "POST",
    path: "/projects/{project_id}/turns/{agent_turn_id}/handover:repack",
    summary:
      "Pack the hand-over of a turn again, dry, by this recipe or the recorded one: what the turn would hold now beside what it holds",
    body: RepackBody,
    answer: Repack,
    call: ({ kernel, params, body }) => repackHandover(kernel, { ...turnOf(params), ...body, user: "repack" }),
  }),
  route({
    operationId: "stopTurn",
    method: "POST",
    path: "/projects/{project_id}/turns/{agent_turn_id}:stop",
    summary: "Stop a turn. `scope: subtree` also stops everything it started. A turn that has ended stays as it is",
    body: StopBody,
    answer: Turn,
    call: async ({ kernel, params, body }) => {
      const { user, ...stop } = body;
      await stopTurn(kernel, { ...turnOf(params), ...stop, by: `human_${user}` });
      return readTurn(kernel, turnOf(params));
    },
  }),
  route({
    operationId: "rerunTurn",
    method: "POST",
    path: "/projects/{project_id}/turns/{agent_turn_id}:rerun",
    summary: "Run the same task again, with a new agent in a run of its own",
    body: RerunBody,
    answer: Turn,
    status: 201,
    call: ({ kernel, params, body }) => rerunTurn(kernel, { ...turnOf(params), ...body }),
  }),
  route({
    operationId: "forkTurn",
    method: "POST",
    path: "/projects/{project_id}/turns/{agent_turn_id}:fork",
    summary:
      "Continue from a step (the last one without `at_step`), with cards of its request replaced or dropped: a new agent with the same profile, in a run of its own",
    body: ForkBody,
    answer: Turn,
    status: 201,
    call: ({ kernel, params, body }) => forkTurn(kernel, { ...turnOf(params), ...body }),
  }),
];
