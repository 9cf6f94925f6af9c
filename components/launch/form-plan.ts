// What the launch dialog holds, as the plan that the composer begins with: everything typed is kept, also what is not ready yet. Pure.
import { argValue, emptyTask, type LaunchForm, type TaskForm } from "./launch-form";

export function formPlan(form: LaunchForm): Record<string, unknown> {
  const { kind, tasks, at, gate } = form;
  const one = tasks[at] ?? emptyTask("");
  const node =
    kind === "fork"
      ? {
          kind: "fork",
          id: "fork",
          tasks: tasks.map((task, i) => ({ id: `task-${i + 1}`, ...riderOf(task) })),
          gate: gateOf(gate),
        }
      : { kind: kind === "ask" ? "ask" : "wagon", id: "first", ...riderOf(one) };
  return { switchyard: "plan/1", nodes: [node] };
}

function riderOf({ target, text, load, recipe, args, attempts }: TaskForm): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value.trim() !== "");
  const tries = Number(attempts);
  return {
    ...(target && target.target_ref !== "" && { target: { strategy: target.target_strategy, ref: target.target_ref } }),
    instruction: text,
    load: load.slice(0, LOADS_MAX).map((item) => (item.kind === "box" ? { box: item.id } : { card: item.id })),
    ...(recipe !== "" && { recipe }),
    ...(given.length > 0 && { arguments: Object.fromEntries(given.map(([name, value]) => [name, argValue(value)])) }),
    ...(Number.isInteger(tries) && tries >= 1 && tries <= 5 && { attempts: tries }),
  };
}

/** What one list of a plan takes. */
const LOADS_MAX = 64;

function gateOf({ fail_fast, max_parallel, deadline_seconds, policy }: LaunchForm["gate"]): Record<string, unknown> {
  const [parallel, deadline] = [Number(max_parallel), Number(deadline_seconds)];
  return {
    fail_fast,
    ...(policy && { policy }),
    ...(Number.isInteger(parallel) && parallel > 0 && { max_parallel: parallel }),
    ...(Number.isFinite(deadline) && deadline > 0 && { deadline_seconds: deadline }),
  };
}
