// What the dialog holds, and the call that it becomes. Pure: the kernel reads these arguments and judges them.
import type * as z from "zod";
import { argValue } from "@/components/domain/recipe-args";
import type { BatchTool } from "@/server/contract/batch";
import type { JoinPolicy } from "@/server/contract/join-policy";
import type { LaunchKind, LaunchTarget } from "./launch-url";
import { type LoadArgs, type LoadItem, loadArgs } from "./load-item";
import { BUILD_PACK, buildRequest, emptyBuild, type PackBuild } from "./pack-build";

export type TaskForm = {
  /** Stays while the task moves among the others. */
  key: string;
  target: LaunchTarget | null;
  text: string;
  load: readonly LoadItem[];
  /** name or name@version; "" = none named. */
  recipe: string;
  /** As written, by the name of the argument. */
  args: Readonly<Record<string, string>>;
  /** As written; "" = once. */
  attempts: string;
  /** As written; "" = no limit of its own. */
  context_tokens_max: string;
  /** artifact://context/..., BUILD_PACK, or "" = none. */
  context_pack: string;
  /** What BUILD_PACK builds. Kept while another pack is chosen. */
  build: PackBuild;
};

/** As written; "" = not given. */
export type GateForm = {
  fail_fast: boolean;
  max_parallel: string;
  deadline_seconds: string;
  /** Absent = it waits for all. */
  policy?: JoinPolicy;
};

export type LaunchForm = {
  kind: LaunchKind;
  tasks: readonly TaskForm[];
  /** The task that the fields show. Everything but a fork launches this one. */
  at: number;
  gate: GateForm;
};

export type LaunchTool = "delegate_async" | Exclude<BatchTool, "plan_wagon">;

type JsonValue = z.core.util.JSONType;
type Handed = LoadArgs & {
  recipe?: string;
  arguments?: Record<string, JsonValue>;
  context_tokens_max?: number | string;
  context_pack?: Record<string, unknown>;
};
export type LaunchCall = { tool: LaunchTool; args: Record<string, unknown> };

export const emptyTask = (key: string): TaskForm => ({
  key,
  target: null,
  text: "",
  load: [],
  recipe: "",
  args: {},
  attempts: "",
  context_tokens_max: "",
  context_pack: "",
  build: emptyBuild,
});

export const emptyGate: GateForm = { fail_fast: false, max_parallel: "", deadline_seconds: "" };

/** The tasks that would be launched, with their places in the form. */
export function tasksOf(form: LaunchForm): { task: TaskForm; at: number }[] {
  if (form.kind === "fork") return form.tasks.map((task, at) => ({ task, at }));
  const task = form.tasks[form.at];
  return task === undefined ? [] : [{ task, at: form.at }];
}

/** One task by itself, as the dry run shows it card by card. */
export function taskCall(task: TaskForm): LaunchCall {
  return { tool: "delegate_async", args: { ...task.target, instruction: task.text, ...handedOf(task) } };
}

export function callOf(form: LaunchForm): LaunchCall {
  if (form.kind === "fork") return forkCall(form);
  const task = form.tasks[form.at] ?? emptyTask("");
  if (form.kind === "delegate") return taskCall(task);
  return {
    tool: "ask_expert",
    args: { expert_profile: task.target?.target_ref ?? "", question: task.text, ...handedOf(task) },
  };
}

function forkCall({ tasks, gate }: LaunchForm): LaunchCall {
  return {
    tool: "fork_join",
    args: {
      tasks: tasks.map((task) => ({
        ...taskCall(task).args,
        ...(task.attempts.trim() !== "" && { attempts: task.attempts.trim() }),
      })),
      fail_fast: gate.fail_fast,
      ...(gate.policy && { policy: gate.policy }),
      ...(gate.max_parallel.trim() !== "" && { max_parallel: gate.max_parallel.trim() }),
      ...(gate.deadline_seconds.trim() !== "" && { deadline_seconds: gate.deadline_seconds.trim() }),
    },
  };
}

function handedOf({ load, recipe, args, context_tokens_max, context_pack, build }: TaskForm): Handed {
  const most = context_tokens_max.trim();
  return {
    ...loadArgs(load),
    ...recipeOf({ recipe, args }),
    // What is no number goes as it is written: the kernel says what it takes.
    ...(most !== "" && { context_tokens_max: /^\d+$/.test(most) ? Number(most) : most }),
    ...(context_pack !== "" && {
      context_pack: context_pack === BUILD_PACK ? buildRequest(build) : { ref: context_pack },
    }),
  };
}

export function recipeOf({ recipe, args }: Pick<TaskForm, "recipe" | "args">): Pick<Handed, "recipe" | "arguments"> {
  const given = Object.entries(args).filter(([, text]) => text.trim() !== "");
  return {
    ...(recipe !== "" && { recipe }),
    ...(given.length > 0 && { arguments: Object.fromEntries(given.map(([name, text]) => [name, argValue(text)])) }),
  };
}
