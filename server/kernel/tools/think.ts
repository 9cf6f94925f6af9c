// Lets an agent think aloud between two actions; changes nothing.
import { type InlineTool, rejected } from "./inline-tool";

export const think: InlineTool = {
  tool_name: "think",
  is_universal: true,
  description: "Write down a thought before you act. It changes nothing else.",
  parameters: {
    type: "object",
    properties: { thought: { type: "string", description: "Your thought." } },
    required: ["thought"],
    additionalProperties: false,
  },
  run: async (_context, args) => {
    const { thought } = (args ?? {}) as { thought?: unknown };
    if (typeof thought !== "string") return rejected("bad_request", "args.thought is missing; give a text");
    return { status: "success", result: { status: "noted" } };
  },
};
