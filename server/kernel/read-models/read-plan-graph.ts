// What the yard must know of a plan run's body. It is read once for each revision; how the nodes stand comes in frames.
import { graphViewOf } from "@/server/contract/plan/graph-view";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import type { Kernel } from "../kernel";
import type { PlanRunKey } from "../plan/plan-row";
import { readPlanRun } from "../plan/read-plan-runs";

/** Nodes in the order of the plan. not_found for a run of another project too. */
export async function readPlanGraph(kernel: Kernel, { project_id, plan_run_id }: PlanRunKey): Promise<PlanGraphView> {
  const { body, layout, body_rev } = await readPlanRun(kernel, { project_id, plan_run_id });
  return { plan_run_id, body_rev, nodes: graphViewOf({ ...body, layout }) };
}
