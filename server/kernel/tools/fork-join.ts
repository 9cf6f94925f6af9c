// Several agents work at once, and the caller sleeps until all of them have ended.
import { fork } from "../batch/fork";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import type { InlineTool } from "./inline-tool";

const text = { type: "string" };

export const forkJoin: InlineTool = {
  tool_name: "fork_join",
  description:
    "Give several agents a task each, at once, and wait until all have ended. Answers with the status of the whole and, in the order of the tasks, what each has come to.",
  parameters: {
    type: "object",
    properties: {
      tasks: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            target_strategy: { type: "string", enum: ["new", "reuse", "clone"] },
            target_ref: { type: "string", description: "new: the profile's name. reuse and clone: the agent's id." },
            instruction: { type: "string", description: "What it is to do, with all it needs to know." },
            context_box_id: { anyOf: [text, { type: "array", items: text }] },
          },
          required: ["target_strategy", "target_ref", "instruction"],
          additionalProperties: false,
        },
      },
      fail_fast: { type: "boolean", description: "Stop the others as soon as one does not succeed." },
      deadline_seconds: { type: "number", description: "What has not ended by then is stopped." },
      max_parallel: { type: "integer", description: "How many may run at the same time." },
    },
    required: ["tasks"],
    additionalProperties: false,
  },
  run: (context, args) => callBatch(context, "fork_join", args),
};

export const askExpert: InlineTool = {
  tool_name: "ask_expert",
  description: "Ask a fresh agent of a profile a question and wait for its answer.",
  parameters: {
    type: "object",
    properties: {
      expert_profile: { type: "string", description: "The profile's name." },
      question: { type: "string", description: "What you want to know, with all it needs to know." },
      include_history: { type: "boolean", description: "Send along what you have written so far." },
    },
    required: ["expert_profile", "question"],
    additionalProperties: false,
  },
  run: (context, args) => callBatch(context, "ask_expert", args),
};

async function callBatch(
  context: Parameters<InlineTool["run"]>[0],
  tool: "fork_join" | "ask_expert",
  args: unknown,
): ReturnType<InlineTool["run"]> {
  const { kernel, turn, tool_call_id } = context;
  const caller = { ...callerOf(context), tool_call_id };
  const made = await fork(kernel, { project_id: turn.project_id, caller, tool, args });
  if (isFenced(made)) return made;
  return {
    status: "suspended",
    batch_id: made.batch_id,
    ...(made.deadline !== undefined && { deadline: made.deadline }),
  };
}
