// Another agent works on a part, and the caller goes on at once.
import { delegate } from "../delegation/delegate";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";

export const delegateAsync: InlineTool = {
  tool_name: "delegate_async",
  description:
    "Give another agent a task and go on at once; its result does not come back to you. Answers with the agent's and the turn's id.",
  parameters: {
    type: "object",
    properties: {
      target_strategy: {
        type: "string",
        enum: ["new", "reuse", "clone"],
        description:
          "new: a fresh agent of a profile. reuse: an agent that remembers. clone: a copy of an agent and its memory.",
      },
      target_ref: { type: "string", description: "new: the profile's name. reuse and clone: the agent's id." },
      instruction: { type: "string", description: "What it is to do, with all it needs to know." },
      context_box_id: {
        anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
        description: "Boxes of yours whose cards it is to see.",
      },
      context_card_ids: { type: "array", items: { type: "string" }, description: "Single cards it is to see." },
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
