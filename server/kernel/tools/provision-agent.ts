// An agent that is to be there before anybody has work for it.
import { provisionAgent as provision } from "../delegation/provision-agent";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";

const text = { type: "string" };

export const provisionAgent: InlineTool = {
  tool_name: "provision_agent",
  description:
    "Make sure that an agent with this id exists: create it from a profile, or derive it from another agent. It gets no task. An agent that exists keeps its profile, owner, worker target and tags.",
  parameters: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["ensure", "create", "derive"] },
      agent_id: text,
      profile_name: text,
      derived_from: { type: "string", description: "derive only: the id of the agent to derive from." },
      display_name: text,
      owner_agent_id: text,
      worker_target: text,
      tags: { type: "array", items: text },
      metadata: { type: "object" },
    },
    required: ["action", "agent_id"],
    additionalProperties: false,
  },
  run: async (context, args) => {
    const { kernel, turn } = context;
    const result = await provision(kernel, { project_id: turn.project_id, caller: callerOf(context), args });
    if (isFenced(result)) return result;
    return { status: "success", result };
  },
};
