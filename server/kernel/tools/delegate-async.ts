// Another agent works on a part, and the caller goes on at once.
import { delegate } from "../delegation/delegate";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import { handedParameters } from "./handed-parameters";
import type { InlineTool } from "./inline-tool";

export const delegateAsync: InlineTool = {
  tool_name: "delegate_async",
  description:
    "Give another agent a task and continue without waiting. Its result does not come back to you; use fork_join or ask_expert if you need the result. Returns the ids of the agent and of its turn.",
  parameters: {
    type: "object",
    properties: {
      target_strategy: {
        type: "string",
        enum: ["new", "reuse", "clone"],
        description:
          "new: a new agent made from a profile. reuse: an existing agent, which keeps its memory. clone: a copy of an existing agent with its memory.",
      },
      target_ref: { type: "string", description: "new: the name of a profile. reuse and clone: the id of an agent." },
      instruction: {
        type: "string",
        description: "The task, with everything the agent needs to know. It does not see your conversation.",
      },
      ...handedParameters,
    },
    required: ["target_strategy", "target_ref", "instruction"],
    additionalProperties: false,
  },
  run: async (context, args) => {
    const { kernel, turn } = context;
    const call = { project_id: turn.project_id, caller: callerOf(context), tool: "delegate_async" as const, args };
    const result = await delegate(kernel, call);
    if (isFenced(result)) return result;
    return { status: "success", result };
  },
};
