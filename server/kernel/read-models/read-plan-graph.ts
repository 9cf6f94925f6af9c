// What the yard must know of a plan run's body: nodes by name and target, and what each waits for. Without instructions, so
// that a plan of 300 wagons stays small. It is read once for each revision; how the nodes stand comes in frames.
import { graphOf } from "@/server/contract/plan/graph";
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import type { PlanNode, PlanTask } from "@/server/contract/plan/plan";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import type { Kernel } from "../kernel";
import type { PlanRunKey } from "../plan/plan-row";
import { readPlanRun } from "../plan/read-plan-runs";

/** Nodes in the order of the plan. not_found for a run of another project too. */
export async function readPlanGraph(kernel: Kernel, { project_id, plan_run_id }: PlanRunKey): Promise<PlanGraphView> {
  const { body, layout, body_rev } = await readPlanRun(kernel, { project_id, plan_run_id });
  const { into, byId } = graphOf(body);
  // A run that was launched before places were kept has them laid out now.
  const berths = layOutPlan(body, layout.places);
  return {
    plan_run_id,
    body_rev,
    nodes: body.nodes.map((node) => ({
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
    })),
  };
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
