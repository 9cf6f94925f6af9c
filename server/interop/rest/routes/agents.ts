// Agents: the roster with heads.

import * as z from "zod";
import { NewAgent } from "@/server/contract/agent";
import { Agent } from "@/server/contract/answers/agents";
import { pageAnswer } from "@/server/contract/answers/page";
import { PrefixSheet } from "@/server/contract/answers/prefix";
import { KernelError } from "@/server/contract/errors";
import { PageQuery } from "@/server/contract/page";
import { readAgentPrefix } from "@/server/kernel/debugger/read-agent-prefix";
import { createAgent } from "@/server/kernel/roster/create-agent";
import { listAgents, readAgent } from "@/server/kernel/roster/read-agents";
import { id, route } from "../route";

const AgentsQuery = PageQuery.extend({
  profile_name: z.string().optional(),
  worker_target: z.string().optional(),
}).strict();

export const agentRoutes = [
  route({
    operationId: "listAgents",
    method: "GET",
    path: "/projects/{project_id}/agents",
    summary: "List agents, newest first",
    query: AgentsQuery,
    answer: pageAnswer(Agent),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      const { limit, cursor, ...filter } = query;
      if (cursor !== undefined)
        await readAgent(kernel, { project_id, agent_id: cursor }).catch(() => {
          throw badCursor();
        });
      return listAgents(kernel, { project_id, ...filter, after_agent_id: cursor, limit });
    },
  }),
  route({
    operationId: "createAgent",
    method: "POST",
    path: "/projects/{project_id}/agents",
    summary: "Create an agent. 409 if the id is taken",
    body: NewAgent,
    answer: Agent,
    status: 201,
    call: ({ kernel, params, body }) => createAgent(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
  route({
    operationId: "getAgent",
    method: "GET",
    path: "/projects/{project_id}/agents/{agent_id}",
    summary: "Get an agent with its head",
    answer: Agent,
    call: ({ kernel, params }) =>
      readAgent(kernel, { project_id: id(params, "project_id"), agent_id: id(params, "agent_id") }),
  }),
  route({
    operationId: "getAgentPrefix",
    method: "GET",
    path: "/projects/{project_id}/agents/{agent_id}/prefix",
    summary:
      "Compare each of an agent's newest 200 requests with the one before it: what they begin with in common, and what a cache could have served",
    answer: PrefixSheet,
    call: ({ kernel, params }) =>
      readAgentPrefix(kernel, { project_id: id(params, "project_id"), agent_id: id(params, "agent_id") }),
  }),
];

const badCursor = (): KernelError =>
  new KernelError("bad_request", "not a cursor of this list; leave cursor out to start from the beginning");
