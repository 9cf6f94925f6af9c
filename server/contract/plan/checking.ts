// What the rules of the check share: the plan, its graph, and how they say what they found.
import { type EndsBefore, endsBefore } from "./ends-before";
import { graphOf, nameAt, type PlanGraph, partsOf } from "./graph";
import type { PlanOp } from "./op";
import type { Plan } from "./plan";
import { nodeIdOf, type RiderAt, ridersOf } from "./plan-words";
import { type GraphCode, graphSeverity, type PlanProblem } from "./problem";
import { type LoadAt, loadsOf } from "./tracks";

export type GraphProblem = PlanProblem<GraphCode>;

/** What the check reads: where things stand is no part of it, and what is only moved is not checked again. */
export type CheckedPlan = Pick<Plan, "nodes" | "inputs" | "result">;

export type Checking = {
  plan: CheckedPlan;
  graph: PlanGraph;
  /** Wagons, asks and tasks that are switched on, as written. */
  riders: readonly RiderAt[];
  name: (place: string) => string;
  /** Of a place in the body: nodes.2, nodes.2.tasks.0 */
  pathOf: (place: string) => string;
  endsBefore: EndsBefore;
  /** Of nodes that are switched on. */
  loads: readonly LoadAt[];
  /** How many tracks and loads of a node lead to another, or to its tasks. */
  entries: (nodeId: string, sourceId: string) => number;
};

export function checkingOf(plan: CheckedPlan): Checking {
  const graph = graphOf(plan);
  const parts = partsOf(plan);
  // Most plans never ask.
  let isOver: EndsBefore | undefined;
  let counts: ReadonlyMap<string, number> | undefined;
  const paths = new Map(
    plan.nodes.flatMap((node, i) => [
      [node.id, `nodes.${i}`] as const,
      ...(node.kind === "fork"
        ? node.tasks.map((task, j) => [`${node.id}.${task.id}`, `nodes.${i}.tasks.${j}`] as const)
        : []),
    ]),
  );
  return {
    plan,
    graph,
    riders: ridersOf(plan).filter(({ node }) => !node.disabled),
    name: (place) => nameAt(parts, place),
    pathOf: (place) => paths.get(place) ?? "nodes",
    endsBefore: (place, nodeId) => {
      isOver ??= endsBefore(graph);
      return isOver(place, nodeId);
    },
    loads: plan.nodes.flatMap((node, i) => (node.disabled ? [] : loadsOf(node, i))),
    entries: (nodeId, sourceId) => {
      counts ??= entryCounts(plan);
      return counts.get(`${nodeId} ${sourceId}`) ?? 0;
    },
  };
}

function entryCounts({ nodes }: CheckedPlan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (id: string, from: string) => {
    const key = `${id} ${nodeIdOf(from)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const [i, node] of nodes.entries()) {
    for (const after of node.after) count(node.id, after.node);
    for (const { load } of loadsOf(node, i)) if ("from" in load) count(node.id, load.from);
  }
  return counts;
}

export const problem = (
  code: GraphCode,
  at: string,
  path: string,
  message: string,
  fixes: PlanOp[] = [],
): GraphProblem => ({
  code,
  severity: graphSeverity[code],
  at,
  path,
  message,
  ...(fixes.length > 0 && { fixes }),
});
