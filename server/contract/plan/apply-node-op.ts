// Nodes and tasks come, go and change their order.
import type { Applied, OpOf, PlanOp, Refusal } from "./op";
import { referenceFault } from "./parse-plan";
import { beyond, lost, partAt, refuse, withTasks } from "./parts";
import { NODES_MAX, type Plan, TASKS_MAX } from "./plan";
import { droppedReferences, type Renaming, withReferences } from "./references";

export function addNode(plan: Plan, { node, at }: OpOf<"add_node">): Applied | Refusal {
  if (partAt(plan, node.id)) return taken("node.id", node.id, "node");
  if (plan.nodes.length >= NODES_MAX) return refuse("node", `the plan has ${NODES_MAX} nodes; remove one first`);
  const refused = beyond(at, plan.nodes.length);
  if (refused) return refused;
  const i = at ?? plan.nodes.length;
  const next = { ...plan, nodes: plan.nodes.toSpliced(i, 0, node) };
  return checked(next, `nodes.${i}`, "node", [{ op: "remove_node", node: node.id }]);
}

export function moveNode(plan: Plan, { node: id, at }: OpOf<"move_node">): Applied | Refusal {
  const part = partAt(plan, id);
  if (!part) return lost("node", id);
  const others = plan.nodes.toSpliced(part.i, 1);
  return (
    beyond(at, others.length) ?? {
      plan: { ...plan, nodes: others.toSpliced(at, 0, part.node) },
      inverse: [{ op: "move_node", node: id, at: part.i }],
    }
  );
}

export function removeNode(plan: Plan, { node: place }: OpOf<"remove_node">): Applied | Refusal {
  const part = partAt(plan, place);
  if (!part) return lost("node", place);
  const to: Renaming = (other) => (other === place || other.startsWith(`${place}.`) ? null : other);
  const without: Plan = part.task
    ? withTasks(plan, part.i, part.node, part.node.tasks.toSpliced(part.j, 1))
    : { ...plan, nodes: plan.nodes.toSpliced(part.i, 1) };
  const back: PlanOp = part.task
    ? { op: "add_task", fork: part.node.id, task: part.task, at: part.j }
    : { op: "add_node", node: part.node, at: part.i };
  return { plan: withReferences(without, to), inverse: [back, ...droppedReferences(without, to)] };
}

export function addTask(plan: Plan, { fork: id, task, at }: OpOf<"add_task">): Applied | Refusal {
  const part = partAt(plan, id);
  if (part?.node.kind !== "fork") return noFork(id);
  const { tasks } = part.node;
  if (tasks.some((other) => other.id === task.id)) return taken("task.id", task.id, "task");
  if (tasks.length >= TASKS_MAX) return refuse("task", `the fork has ${TASKS_MAX} tasks; remove one first`);
  const refused = beyond(at, tasks.length);
  if (refused) return refused;
  const j = at ?? tasks.length;
  const next = withTasks(plan, part.i, part.node, tasks.toSpliced(j, 0, task));
  return checked(next, `nodes.${part.i}.tasks.${j}`, "task", [{ op: "remove_node", node: `${id}.${task.id}` }]);
}

export function moveTask(plan: Plan, { task: place, fork, at }: OpOf<"move_task">): Applied | Refusal {
  const from = partAt(plan, place);
  if (!from?.task) return refuse("task", `there is no task ${place}; name one as fork.task`);
  const without = withTasks(plan, from.i, from.node, from.node.tasks.toSpliced(from.j, 1));
  const toId = fork ?? from.node.id;
  const to = partAt(without, toId);
  if (to?.node.kind !== "fork") return noFork(toId);
  const { tasks } = to.node;
  const { task } = from;
  if (tasks.some(({ id }) => id === task.id)) return taken("task", task.id, "task");
  if (tasks.length >= TASKS_MAX) return refuse("fork", `the fork has ${TASKS_MAX} tasks; remove one first`);
  const refused = beyond(at, tasks.length);
  if (refused) return refused;
  const moved = withTasks(without, to.i, to.node, tasks.toSpliced(at ?? tasks.length, 0, task));
  const now = `${toId}.${task.id}`;
  return {
    plan: now === place ? moved : withReferences(moved, (other) => (other === place ? now : other)),
    inverse: [{ op: "move_task", task: now, fork: from.node.id, at: from.j }],
  };
}

/** A fault inside the new part is told by its path in the operation. */
function checked(plan: Plan, at: string, name: string, inverse: PlanOp[]): Applied | Refusal {
  const fault = referenceFault(plan);
  if (!fault) return { plan, inverse };
  const inside = fault.path.startsWith(`${at}.`) ? `${name}${fault.path.slice(at.length)}` : fault.path;
  return refuse(inside, fault.message);
}

const taken = (path: string, id: string, what: string) =>
  refuse(path, `${id} is taken by another ${what}; choose another id`);
const noFork = (id: string) => refuse("fork", `there is no fork ${id}; name a fork of this plan`);
