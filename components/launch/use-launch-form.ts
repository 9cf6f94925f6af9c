"use client";

// The form of a launch. Its kind, and target and load of the task in the fields, are in the URL, so that a link opens them;
// texts and the other tasks of a fork are this tab's.
import { useMemo } from "react";
import { emptyTask, type GateForm, type LaunchForm, type TaskForm } from "./launch-form";
import { reorder } from "./reorder";
import { newKey, useDraft } from "./use-draft";
import type { Launch } from "./use-launch";

export type LaunchFormState = {
  form: LaunchForm;
  /** The task in the fields. */
  task: TaskForm;
  isKept: boolean;
  change: (part: Partial<Omit<TaskForm, "key">>) => void;
  changeGate: (part: Partial<GateForm>) => void;
  select: (at: number) => void;
  /** Behind the others, for the same target. */
  add: () => void;
  remove: (at: number) => void;
  move: (from: number, to: number) => void;
  clear: () => void;
};

export function useLaunchForm(projectId: string, launch: Launch): LaunchFormState {
  const { form: kept, setForm, clear, isKept } = useDraft(projectId);
  const { kind, target, load, pack, setTarget, setLoad, setPack, show } = launch;
  const form = useMemo<LaunchForm>(
    () => ({
      kind,
      ...kept,
      tasks: kept.tasks.map((task, at) =>
        at === kept.at ? inFields(task, kind, { target, load, context_pack: pack }) : task,
      ),
    }),
    [kind, kept, target, load, pack],
  );
  const { tasks, at, gate } = form;
  const task = tasks[at] ?? emptyTask("");

  function settle(next: readonly TaskForm[], to: number) {
    setForm({ tasks: next, at: to, gate });
    const shown = next[to];
    if (shown !== undefined) show(shown);
  }

  return {
    form,
    task,
    isKept,
    change: (part) => {
      setForm({ tasks: tasks.map((other, i) => (i === at ? { ...other, ...part } : other)), at, gate });
      if (part.target !== undefined) setTarget(part.target);
      if (part.load !== undefined) setLoad(part.load);
      if (part.context_pack !== undefined) setPack(part.context_pack);
    },
    changeGate: (part) => setForm({ tasks, at, gate: { ...gate, ...part } }),
    select: (to) => settle(tasks, to),
    add: () => settle([...tasks, { ...emptyTask(newKey()), target: tasks[at]?.target ?? null }], tasks.length),
    remove: (which) => {
      const rest = tasks.filter((_, i) => i !== which);
      if (rest.length === 0) return;
      settle(rest, Math.min(rest.length - 1, which < at ? at - 1 : at));
    },
    move: (from, to) => {
      const next = reorder(tasks, from, to);
      if (next !== tasks) settle(next, next.indexOf(task));
    },
    clear,
  };
}

/** A single launch is what the link says. A fork that was closed comes back with what its task had. */
function inFields(
  task: TaskForm,
  kind: LaunchForm["kind"],
  { target, load, context_pack }: Pick<TaskForm, "target" | "load" | "context_pack">,
): TaskForm {
  if (kind !== "fork") return { ...task, target, load, context_pack };
  return {
    ...task,
    target: target ?? task.target,
    load: load.length === 0 ? task.load : load,
    context_pack: context_pack || task.context_pack,
  };
}
