// The part of a plan's check that needs nothing but the plan. The browser runs it after every change, the kernel before every launch.
import { agentsFree, agentsThere } from "./check-agents";
import { circles } from "./check-circles";
import { insideForks } from "./check-forks";
import { gatesFit } from "./check-gates";
import { inputsKnown, ridersReady } from "./check-riders";
import { deadTracks, loadsOfDisabled, unread } from "./check-tracks";
import { type CheckedPlan, type Checking, checkingOf, type GraphProblem, problem } from "./checking";
import type { PlanGraph } from "./graph";
import { PLAN_WAGONS_MAX } from "./plan";
import { nameOf, nodeIdOf, ridersOf } from "./plan-words";
import { placeOfProblem } from "./problem";

export type GraphLimits = { wagons_max?: number; fork_tasks_max: number };

/** In starting order; what concerns the plan as a whole comes first. */
export function checkGraph(plan: CheckedPlan, limits: GraphLimits): GraphProblem[] {
  const wagons_max = limits.wagons_max ?? PLAN_WAGONS_MAX;
  const count = ridersOf(plan).length;
  // The other rules compare wagons with each other: a plan that is too large is not compared.
  if (count > wagons_max || plan.nodes.length > 2 * wagons_max)
    return [problem("too_many", "", "nodes", `${count} wagons, at most ${wagons_max}.`)];
  const checking = checkingOf(plan);
  const tangled = [...insideForks(checking), ...circles(checking)];
  const found = [
    ...sizes(checking, limits.fork_tasks_max),
    ...tangled,
    ...gatesFit(checking),
    ...ridersReady(checking),
    ...inputsKnown(checking),
    ...agentsThere(checking),
    ...agentsFree(checking),
    ...loadsOfDisabled(checking),
    ...deadTracks(checking),
    // Nodes that wait for each other have no last one: who reads what is known once they don't.
    ...(tangled.length > 0 ? [] : unread(checking)),
  ];
  return inStartingOrder(checking.graph, found);
}

/** Warnings do not refuse. */
export const isRefused = (problems: readonly { severity: string }[]): boolean =>
  problems.some(({ severity }) => severity === "error");

function sizes({ plan, riders }: Checking, fork_tasks_max: number): GraphProblem[] {
  if (riders.length === 0)
    return [problem("empty", "", "nodes", "The plan has no wagon. Drag a profile up from the shelf, or press N.")];
  return plan.nodes.flatMap((node, i) => {
    if (node.kind !== "fork" || node.disabled) return [];
    const [count, path] = [node.tasks.length, `nodes.${i}.tasks`];
    if (count === 0)
      return problem("empty", node.id, path, `${nameOf(node)} has no task. Add one, or take the fork away.`, [
        { op: "remove_node", node: node.id },
      ]);
    const says = `${nameOf(node)} has ${count} tasks, at most ${fork_tasks_max}. Split it in two forks.`;
    return count > fork_tasks_max ? problem("too_many", node.id, path, says) : [];
  });
}

/** What concerns the plan as a whole comes first. */
export function inStartingOrder<P extends { at: string }>(graph: Pick<PlanGraph, "nodes">, found: readonly P[]): P[] {
  const ranks = new Map<string, number>();
  for (const node of graph.nodes) {
    ranks.set(node.id, ranks.size);
    if (node.kind === "fork") for (const { id } of node.tasks) ranks.set(`${node.id}.${id}`, ranks.size);
  }
  const rankOf = ({ at }: P): number => {
    const place = placeOfProblem(at);
    return at === "" ? -1 : (ranks.get(place) ?? ranks.get(nodeIdOf(place)) ?? ranks.size);
  };
  return found
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
