// Finds a node or a task by its place, and puts another in its stead. Everything else of the plan keeps its identity.
import type { PlanFault } from "./parse-plan";
import type { Fork, Plan, PlanNode, PlanTask } from "./plan";

export type Part =
  | { i: number; node: PlanNode; task?: undefined }
  /** j = its place in the fork. */
  | { i: number; node: Fork; j: number; task: PlanTask };

export function partAt({ nodes }: Pick<Plan, "nodes">, place: string): Part | null {
  const point = place.indexOf(".");
  const id = point < 0 ? place : place.slice(0, point);
  const i = nodes.findIndex((node) => node.id === id);
  const node = nodes[i];
  if (!node) return null;
  if (point < 0) return { i, node };
  if (node.kind !== "fork") return null;
  const j = node.tasks.findIndex((task) => task.id === place.slice(point + 1));
  const task = node.tasks[j];
  return task ? { i, node, j, task } : null;
}

export const withNode = (plan: Plan, i: number, node: PlanNode): Plan => ({ ...plan, nodes: plan.nodes.with(i, node) });

export const withTasks = (plan: Plan, i: number, fork: Fork, tasks: PlanTask[]): Plan =>
  withNode(plan, i, { ...fork, tasks });

/** `changed` has fields of both nodes and tasks only. */
export const withFields = (plan: Plan, part: Part, changed: Partial<Pick<PlanTask, "load">>): Plan =>
  part.task
    ? withTasks(plan, part.i, part.node, part.node.tasks.with(part.j, { ...part.task, ...changed }))
    : withNode(plan, part.i, { ...part.node, ...changed });

export const lost = (path: string, place: string): { refusal: PlanFault } => ({
  refusal: { path, message: `there is no node ${place}; name a node of this plan, or a task as fork.task` },
});

export const refuse = (path: string, message: string): { refusal: PlanFault } => ({ refusal: { path, message } });

/** Null = the list has such a place. */
export const beyond = (at: number | undefined, length: number): { refusal: PlanFault } | null =>
  at !== undefined && at > length ? refuse("at", `expected at most ${length}`) : null;
