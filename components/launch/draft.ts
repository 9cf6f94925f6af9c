// A launch that has not been sent, as text that this tab keeps. What cannot be read is a draft of an older version: its text
// was the instruction alone.
import { fitPolicy } from "@/components/domain/policy-words";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { emptyGate, emptyTask, type GateForm, type TaskForm } from "./launch-form";
import { parseLoadItem, parseTarget } from "./launch-url";

export type DraftForm = { tasks: readonly TaskForm[]; at: number; gate: GateForm };

export const emptyDraft = (newKey: () => string): DraftForm => ({
  tasks: [emptyTask(newKey())],
  at: 0,
  gate: emptyGate,
});

/** null = nothing worth keeping. */
export function writeDraft({ tasks, at, gate }: DraftForm): string | null {
  const [only] = tasks;
  if (tasks.length === 1 && only !== undefined && isBlank(only) && JSON.stringify(gate) === JSON.stringify(emptyGate))
    return null;
  return JSON.stringify({
    tasks: tasks.map(({ target, load, key: _key, ...rest }) => ({
      ...rest,
      target: target === null ? "" : `${target.target_strategy}:${target.target_ref}`,
      load: load.map(({ kind, id }) => `${kind}:${id}`),
    })),
    at,
    gate,
  });
}

const isBlank = ({
  text,
  target,
  load,
  recipe,
  args,
  attempts,
  context_tokens_max,
  context_pack,
  build,
}: TaskForm): boolean =>
  [text, recipe, attempts, context_tokens_max, context_pack, ...Object.values(build)].every(
    (written) => written === "",
  ) &&
  target === null &&
  load.length === 0 &&
  !Object.keys(args).length;

export function readDraft(text: string | null, newKey: () => string): DraftForm {
  if (text === null || text === "") return emptyDraft(newKey);
  const value = parsed(text);
  const tasks = listOf(value?.tasks).flatMap((task) => (isRecord(task) ? [taskOf(task, newKey())] : []));
  if (value === null || tasks.length === 0) return { ...emptyDraft(newKey), tasks: [{ ...emptyTask(newKey()), text }] };
  const gate = isRecord(value.gate) ? value.gate : {};
  const at = typeof value.at === "number" && tasks[value.at] !== undefined ? value.at : 0;
  return {
    tasks,
    at,
    gate: {
      fail_fast: gate.fail_fast === true,
      max_parallel: textOf(gate.max_parallel),
      deadline_seconds: textOf(gate.deadline_seconds),
      ...policyOf(gate.policy),
    },
  };
}

function policyOf(given: unknown): { policy?: JoinPolicy } {
  if (!isRecord(given) || !["all", "any", "quorum"].includes(textOf(given.kind))) return {};
  // It was written by this tab; what is wrong with it all the same, the dry run says.
  const policy = fitPolicy(given as JoinPolicy);
  return policy ? { policy } : {};
}

function taskOf(task: Record<string, unknown>, key: string): TaskForm {
  const args = isRecord(task.args) ? task.args : {};
  const build = isRecord(task.build) ? task.build : {};
  return {
    key,
    target: parseTarget(textOf(task.target)),
    text: textOf(task.text),
    load: listOf(task.load).flatMap((item) => parseLoadItem(textOf(item)) ?? []),
    recipe: textOf(task.recipe),
    args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, textOf(value)])),
    attempts: textOf(task.attempts),
    context_tokens_max: textOf(task.context_tokens_max),
    context_pack: textOf(task.context_pack),
    build: {
      goal: textOf(build.goal),
      done: textOf(build.done),
      workspace: textOf(build.workspace),
      search: textOf(build.search),
    },
  };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
