// The state tables, for programs that watch a project.
import { pageAnswer } from "@/server/contract/answers/page";
import { ExecutionEdge, HeadState, IdentityEdge, StepState } from "@/server/contract/answers/state";
import { ExecutionEdgeQuery, HeadQuery, IdentityEdgeQuery, StepQuery } from "@/server/contract/state";
import { listExecutionEdges } from "@/server/kernel/read-models/list-execution-edges";
import { listHeads } from "@/server/kernel/read-models/list-heads";
import { listIdentityEdges } from "@/server/kernel/read-models/list-identity-edges";
import { listSteps } from "@/server/kernel/read-models/list-steps";
import { id, route } from "../route";

export const stateRoutes = [
  route({
    operationId: "listHeads",
    method: "GET",
    path: "/projects/{project_id}/state/agents",
    summary: "List heads: what each agent does now, newest agent first",
    query: HeadQuery,
    answer: pageAnswer(HeadState),
    call: ({ kernel, params, query }) => listHeads(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    operationId: "listSteps",
    method: "GET",
    path: "/projects/{project_id}/state/steps",
    summary: "List steps, newest first",
    query: StepQuery,
    answer: pageAnswer(StepState),
    call: ({ kernel, params, query }) => listSteps(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    operationId: "listExecutionEdges",
    method: "GET",
    path: "/projects/{project_id}/state/execution/edges",
    summary: "List execution edges: requests and responses between turns, newest first",
    query: ExecutionEdgeQuery,
    answer: pageAnswer(ExecutionEdge),
    call: ({ kernel, params, query }) => listExecutionEdges(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    operationId: "listIdentityEdges",
    method: "GET",
    path: "/projects/{project_id}/state/identity/edges",
    summary: "List identity edges: which agent provisioned or derived which, newest first",
    query: IdentityEdgeQuery,
    answer: pageAnswer(IdentityEdge),
    call: ({ kernel, params, query }) => listIdentityEdges(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
];
