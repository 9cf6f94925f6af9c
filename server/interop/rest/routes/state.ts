// The state tables as they stand, for programs that watch a project.
import { ExecutionEdgeQuery, HeadQuery, IdentityEdgeQuery, StepQuery } from "@/server/contract/state";
import { listExecutionEdges } from "@/server/kernel/read-models/list-execution-edges";
import { listHeads } from "@/server/kernel/read-models/list-heads";
import { listIdentityEdges } from "@/server/kernel/read-models/list-identity-edges";
import { listSteps } from "@/server/kernel/read-models/list-steps";
import { id, route } from "../route";

export const stateRoutes = [
  route({
    method: "GET",
    path: "/projects/{project_id}/state/agents",
    summary: "Heads: what each agent does now, the youngest agent first",
    query: HeadQuery,
    answer: "HeadState[]",
    call: ({ kernel, params, query }) => listHeads(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/state/steps",
    summary: "Steps, the newest first",
    query: StepQuery,
    answer: "StepState[]",
    call: ({ kernel, params, query }) => listSteps(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/state/execution/edges",
    summary: "Who caused what: requests and responses between turns, the newest first",
    query: ExecutionEdgeQuery,
    answer: "ExecutionEdge[]",
    call: ({ kernel, params, query }) => listExecutionEdges(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    method: "GET",
    path: "/projects/{project_id}/state/identity/edges",
    summary: "Who made whom: provisioned and derived agents, the newest first",
    query: IdentityEdgeQuery,
    answer: "IdentityEdge[]",
    call: ({ kernel, params, query }) => listIdentityEdges(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
];
