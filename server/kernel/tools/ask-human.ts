// A question to people: the turn sleeps until one of them has answered, or its time is over.
import { AskHumanArgs } from "@/server/contract/asking";
import { shapeFault } from "@/server/contract/shape-fault";
import { openRequest } from "../humans/open-request";
import { isFenced } from "../turns/fenced";
import { lockTurn } from "../turns/lock-turn";
import { withUnit } from "../unit";
import { type InlineTool, rejected } from "./inline-tool";

export const askHuman: InlineTool = {
  tool_name: "ask_human",
  description:
    "Ask the people who supervise this run a question and wait for the answer. Use it when you cannot decide, or when only a person can know. You continue with their answer as the result.",
  parameters: {
    type: "object",
    properties: {
      question: { type: "string", description: "The question, in one or two sentences." },
      choices: {
        type: "array",
        items: { type: "string" },
        maxItems: 20,
        description: "Suggested answers. People can also write their own.",
      },
      details: { type: "string", description: "Background that a person needs to answer." },
      timeout_seconds: { type: "number", description: "Continue without an answer after this many seconds." },
    },
    required: ["question"],
    additionalProperties: false,
  },
  run: async ({ kernel, turn, step_id, tool_call_id, tool_call_card_id }, args) => {
    const parsed = AskHumanArgs.safeParse(args);
    if (!parsed.success) {
      const { path, message } = shapeFault(parsed.error, "args");
      return rejected("bad_request", `${path}: ${message}`);
    }
    const { question, details, choices, timeout_seconds } = parsed.data;
    const { project_id, agent_turn_id, turn_epoch } = turn;
    return withUnit(kernel, async (unit) => {
      const what = { statuses: ["running" as const], what: "call ask_human" };
      const row = await lockTurn(unit, { project_id, agent_turn_id, turn_epoch, ...what });
      if (isFenced(row)) return row;
      const asked = await openRequest(unit, {
        row,
        request: {
          kind: "question",
          step_id,
          tool_call_id,
          tool_call_card_id,
          tool_name: "ask_human",
          question: { question, ...(details !== undefined && { details }) },
          choices,
          ...(timeout_seconds !== undefined && { timeout_ms: Math.ceil(timeout_seconds * 1000) }),
        },
      });
      return { status: "suspended", ...asked };
    });
  },
};
