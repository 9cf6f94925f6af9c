// Several agents work at once, and the caller sleeps until all of them have ended.
import { fork } from "../batch/fork";
import { isFenced } from "../turns/fenced";
import { callerOf } from "./caller-of";
import { handedParameters } from "./handed-parameters";
import type { InlineTool } from "./inline-tool";

const policyParameter = {
  type: "object",
  description: "When to stop waiting. Leave it out to wait for all tasks.",
  properties: {
    kind: {
      type: "string",
      enum: ["all", "any", "quorum"],
      description: "any: the first task that delivers is enough. quorum: k tasks are.",
    },
    k: { type: "integer", minimum: 1, description: "quorum only: how many tasks are enough." },
    count: {
      type: "string",
      enum: ["delivered", "ended"],
      description: "any and quorum: count tasks that deliver (the default), or tasks that end in any way.",
    },
    timeout_ms: { type: "integer", minimum: 1, description: "Stop waiting after this many milliseconds." },
    on_timeout: {
      type: "string",
      enum: ["emit_partial", "fail", "wait"],
      description: "With timeout_ms: return what has arrived (the default), fail, or wait until the deadline.",
    },
    late: {
      type: "string",
      enum: ["stop", "run"],
      description:
        "Tasks that still run then: stop them (the default), or let them go on. Their results do not reach you.",
    },
  },
  required: ["kind"],
  additionalProperties: false,
};

export const forkJoin: InlineTool = {
  tool_name: "fork_join",
  description:
    "Give several agents one task each. They run in parallel, and you wait until all have ended, or as long as `policy` says. Returns the overall status and the result of each task, in the order of the tasks.",
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
            target_ref: {
              type: "string",
              description: "new: the name of a profile. reuse and clone: the id of an agent.",
            },
            instruction: {
              type: "string",
              description: "The task, with everything the agent needs to know. It does not see your conversation.",
            },
            ...handedParameters,
            attempts: {
              type: "integer",
              minimum: 1,
              maximum: 5,
              description: "How often the task is tried in all if it fails, by the same agent. 1 if you leave it out.",
            },
          },
          required: ["target_strategy", "target_ref", "instruction"],
          additionalProperties: false,
        },
      },
      fail_fast: { type: "boolean", description: "Stop the other tasks as soon as one does not succeed." },
      deadline_seconds: { type: "number", description: "Stop the tasks that have not ended after this many seconds." },
      max_parallel: { type: "integer", description: "At most this many tasks run at the same time." },
      policy: policyParameter,
    },
    required: ["tasks"],
    additionalProperties: false,
  },
  run: (context, args) => callBatch(context, "fork_join", args),
};

export const askExpert: InlineTool = {
  tool_name: "ask_expert",
  description: "Ask a new agent made from a profile one question and wait for its answer.",
  parameters: {
    type: "object",
    properties: {
      expert_profile: { type: "string", description: "The name of the profile." },
      question: {
        type: "string",
        description: "The question, with everything the expert needs to know. It does not see your conversation.",
      },
      include_history: { type: "boolean", description: "Also show the expert what you have written so far." },
      ...handedParameters,
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
  const made = await fork(kernel, { project_id: turn.project_id, caller, tool, args, sleep: context.sleep });
  if (isFenced(made)) return made;
  return {
    status: "suspended",
    batch_id: made.batch_id,
    ...(made.deadline !== undefined && { deadline: made.deadline }),
    ...(made.slept && { slept: made.slept }),
  };
}
