// What changed from one plan to another: the operations that make it so, and what a person is shown of each node.
import { changedFields } from "./changed-fields";
import type { PlanOp } from "./op";
import { opsBetween } from "./ops-between";
import type { Fork, Plan, PlanNode, PlanTask } from "./plan";

export type NodeDiff = {
  id: string;
  verdict: "added" | "removed" | "changed" | "same";
  /** Of a changed node: instruction, gate, tasks.flow (came or went), tasks.flow.load; tasks = their order. */
  fields: string[];
};

export type PlanDiff = {
  /** Applied to the first plan they give the second, layout included. */
  ops: PlanOp[];
  /** In the order of the second plan, then those removed. */
  nodes: NodeDiff[];
  /** Of the plan itself: name, inputs, limits ... */
  fields: string[];
};

export function diffPlans(from: Plan, to: Plan): PlanDiff {
  const before = new Map(from.nodes.map((node) => [node.id, node]));
  const after = new Set(to.nodes.map(({ id }) => id));
  const nodes = to.nodes.map((node): NodeDiff => {
    const was = before.get(node.id);
    if (!was) return { id: node.id, verdict: "added", fields: [] };
    const fields = nodeFields(was, node);
    return { id: node.id, verdict: fields.length === 0 ? "same" : "changed", fields };
  });
  const removed = from.nodes
    .filter(({ id }) => !after.has(id))
    .map(({ id }): NodeDiff => ({ id, verdict: "removed", fields: [] }));
  const fields = changedFields(from, to).filter((field) => field !== "nodes" && field !== "layout");
  return { ops: opsBetween(from, to), nodes: [...nodes, ...removed], fields };
}

function nodeFields(from: PlanNode, to: PlanNode): string[] {
  const fields = changedFields(from, to);
  if (from.kind !== "fork" || to.kind !== "fork") return fields;
  return fields.flatMap((field) => (field === "tasks" ? taskFields(from, to) : field));
}

function taskFields(from: Fork, to: Fork): string[] {
  const byId = (tasks: PlanTask[]) => new Map(tasks.map((task) => [task.id, task]));
  const [before, after] = [byId(from.tasks), byId(to.tasks)];
  const fields = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, now] = [before.get(id), after.get(id)];
    return was && now ? changedFields(was, now).map((field) => `tasks.${id}.${field}`) : `tasks.${id}`;
  });
  return fields.length === 0 ? ["tasks"] : fields;
}
