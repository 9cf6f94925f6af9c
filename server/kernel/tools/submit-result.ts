// Ends the turn with a result of named fields.
import { hasOpenRows } from "../inbox/has-open-rows";
import { type InlineTool, rejected } from "./inline-tool";
import { readSubmission } from "./submission";

export const submitResult: InlineTool = {
  tool_name: "submit_result",
  description:
    "Deliver your result and end your turn. It must be the only tool call of its step and must give every required field.",
  parameters: {
    type: "object",
    properties: {
      result: {
        type: "object",
        properties: {
          fields: {
            type: "array",
            items: {
              type: "object",
              properties: { name: { type: "string" }, value: { type: "string" } },
              required: ["name", "value"],
            },
          },
        },
        required: ["fields"],
      },
    },
    required: ["result"],
  },
  run: async ({ kernel, turn, is_only_call, required_fields }, args) => {
    if (!is_only_call)
      return rejected("bad_request", "submit_result must be the only tool call of its step; call it again on its own");
    const { project_id, agent_turn_id } = turn;
    if (await hasOpenRows(kernel, { project_id, agent_turn_id }))
      return rejected("inbox_not_empty", "a message for you is unread; continue, and submit after you have read it");
    const submission = readSubmission(args, required_fields);
    if (!submission.ok) return rejected("bad_request", submission.error);
    return { status: "success", result: { status: "accepted" }, after_execution: "terminate" };
  },
};
