// An agent launches a saved plan, and sleeps until its run has ended.
import { callPlan } from "../plan/call-plan";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";

export const launchPlan: InlineTool = {
  tool_name: "launch_plan",
  description:
    "Launch a saved plan: several agents work in the order that the plan says, and you wait until all have ended. Call list_capabilities to see the plans you may run and their inputs. Returns the overall status, the status of each step, and the plan's result.",
  parameters: {
    type: "object",
    properties: {
      plan: { type: "string", description: "The name of the plan." },
      version: { type: "integer", minimum: 1, description: "The newest if you leave it out." },
      inputs: {
        type: "object",
        description: "What the plan asks for, by the name of the input: text, or the id of a box or card.",
        additionalProperties: { type: "string" },
      },
    },
    required: ["plan"],
    additionalProperties: false,
  },
  run: async (context, args) => {
    const { kernel, turn, tool_call_id } = context;
    const caller = { ...callerOf(context), tool_call_id };
    const made = await callPlan(kernel, { project_id: turn.project_id, caller, args });
    return isFenced(made) ? made : { status: "suspended" };
  },
};
