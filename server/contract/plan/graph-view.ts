// What a drawing must know of a plan's body: nodes by name and target, where each stands, and what it waits for. Without
// instructions, so that a plan of 300 wagons stays small.
import { graphOf } from "./graph";
import { layOutPlan } from "./lay-out-plan";
import type { Berth, Plan, PlanNode, PlanTask } from "./plan";
import type { PlanGraphView } from "./plan-sheet";
import { isTaskPlace, nameOf, nodeIdOf } from "./plan-words";

/** In the order of the plan. What was never placed is laid out now; `berths` = it was laid out before. */
export function graphViewOf(
  plan: Pick<Plan, "nodes" | "result" | "layout">,
  berths: ReadonlyMap<string, Berth> = layOutPlan(plan, plan.layout.places),
): PlanGraphView["nodes"] {
  const { into, byId } = graphOf(plan);
  return plan.nodes.map((node) => ({
    node_id: node.id,
    kind: node.kind,
    title: nameOf(node),
    targets: targetsOf(node),
    tasks:
      node.kind === "fork" ? node.tasks.map((task) => ({ title: nameOf(task), target: task.target?.ref ?? "" })) : [],
    berth: berths.get(node.id) ?? { col: 1, row: 0 },
    hold: node.hold,
    disabled: node.disabled,
    waits_for: (into.get(node.id) ?? []).map(({ from, on }) => ({ ...placeAt(byId, from), on })),
  }));
}

function placeAt(byId: ReadonlyMap<string, PlanNode>, place: string): { node_id: string; task_index?: number } {
  const node_id = nodeIdOf(place);
  const node = byId.get(node_id);
  if (!isTaskPlace(place) || node?.kind !== "fork") return { node_id };
  return { node_id, task_index: node.tasks.findIndex(({ id }) => `${node_id}.${id}` === place) };
}

/** Each once: a fork of twelve mostly has one. */
function targetsOf(node: PlanNode): string[] {
  const riders: readonly (PlanNode | PlanTask)[] = node.kind === "fork" ? node.tasks : [node];
  return [...new Set(riders.flatMap((rider) => ("target" in rider && rider.target ? [rider.target.ref] : [])))];
}
