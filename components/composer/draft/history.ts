// Undo and redo. One gesture is one step; what is typed into one field is one step until it rests. Pure.
import type { PlanOp } from "@/server/contract/plan/op";

export type Step = {
  /** What was done, as it is said: "Thermal to Check the tables". */
  label: string;
  ops: PlanOp[];
  /** Applied in this order they give the plan as it was. */
  inverse: PlanOp[];
  /** Places that it changed: undoing selects them. */
  places: string[];
  /** Steps with the same key that follow each other soon are one. */
  key?: string;
  at: number;
};
export type History = { past: readonly Step[]; future: readonly Step[] };

export const noHistory: History = { past: [], future: [] };
export const STEPS_MAX = 500;
/** Typing that rested this long has ended. */
const RESTS_MS = 1_000;

export function remembered({ past }: History, step: Step): History {
  const last = past.at(-1);
  const isSame = last?.key !== undefined && last.key === step.key && step.at - last.at < RESTS_MS;
  if (!isSame || !last) return { past: [...past, step].slice(-STEPS_MAX), future: [] };
  return { past: [...past.slice(0, -1), joined(last, step)], future: [] };
}

/** Of two values of one field only the second one matters, and only what undoes the first. */
function joined(first: Step, second: Step): Step {
  const [a, b] = [first.ops[0], second.ops[0]];
  const isField =
    first.ops.length === 1 &&
    second.ops.length === 1 &&
    a?.op === "set" &&
    b?.op === "set" &&
    a.node === b.node &&
    a.path === b.path;
  if (isField) return { ...second, inverse: first.inverse };
  return { ...second, ops: [...first.ops, ...second.ops], inverse: [...second.inverse, ...first.inverse] };
}

export function stepBack({ past, future }: History): { step: Step; history: History } | null {
  const step = past.at(-1);
  return step ? { step, history: { past: past.slice(0, -1), future: [step, ...future] } } : null;
}

export function stepOn({ past, future }: History): { step: Step; history: History } | null {
  const [step, ...rest] = future;
  return step ? { step, history: { past: [...past, { ...step, key: undefined }], future: rest } } : null;
}

/** The places that an operation names, as they are called after it. */
export function placesOf(op: PlanOp): string[] {
  switch (op.op) {
    case "add_node":
      return [op.node.id];
    case "add_task":
      return [`${op.fork}.${op.task.id}`];
    case "set":
      return op.node === undefined ? [] : [op.node];
    case "add_track":
    case "set_track":
    case "remove_track":
    case "add_load":
    case "move_load":
    case "remove_load":
      return [op.to];
    case "move_task":
      return [op.fork === undefined ? op.task : `${op.fork}.${op.task.split(".")[1] ?? ""}`];
    case "place":
      return Object.keys(op.places);
    case "move_node":
    case "remove_node":
      return [op.node];
    default:
      return [];
  }
}
