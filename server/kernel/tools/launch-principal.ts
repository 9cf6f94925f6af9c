// A fresh agent for a task of its own; the short form of delegating to a new one.
import { delegate } from "../delegation/delegate";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import { handedParameters } from "./handed-parameters";
import type { InlineTool } from "./inline-tool";

export const launchPrincipal: InlineTool = {
  tool_name: "launch_principal",
  description:
    "Start a new agent made from a profile and continue without waiting. Its result does not come back to you.",
  parameters: {
    type: "object",
    properties: {
      profile_name: { type: "string" },
      instruction: {
        type: "string",
        description: "The task, with everything the agent needs to know. It does not see your conversation.",
      },
      ...handedParameters,
    },
    required: ["profile_name", "instruction"],
    additionalProperties: false,
  },
  run: async (context, args) => {
    const { kernel, turn } = context;
    const call = { project_id: turn.project_id, caller: callerOf(context), tool: "launch_principal" as const, args };
    const result = await delegate(kernel, call);
    if (isFenced(result)) return result;
    return { status: "success", result };
  },
};
