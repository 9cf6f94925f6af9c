// The plans of a run, with each step as the inspector lists it: also those that have not begun.
import type { RunPlan } from "@/server/contract/plan/plan-sheet";
import { nameOf } from "@/server/contract/plan/plan-words";
import type { Kernel } from "../kernel";
import { listPlanRuns, readPlanRun } from "../plan/read-plan-runs";

const PLANS_MAX = 5;

/** The newest five, in the order of their launch. Empty for a run without plans, and for one of another project. */
export async function readRunPlans(
  kernel: Kernel,
  input: { project_id: string; root_turn_id: string },
): Promise<RunPlan[]> {
  const { project_id } = input;
  const runs = await listPlanRuns(kernel, input);
  const items: RunPlan[] = [];
  for (const { plan_run_id } of runs.slice(0, PLANS_MAX).toReversed()) {
    const { name, version, plan_id, status, body, nodes } = await readPlanRun(kernel, { project_id, plan_run_id });
    const titles = new Map(body.nodes.map((node) => [node.id, nameOf(node)]));
    items.push({
      plan_run_id,
      name,
      // A plan that was launched without being published has no page.
      ...(plan_id !== undefined && version !== undefined && { version }),
      status,
      steps: nodes.map((node) => ({
        node_id: node.node_id,
        title: titles.get(node.node_id) ?? node.node_id,
        status: node.status,
        headcodes: node.headcodes,
        ...(node.reason !== undefined && { reason: node.reason }),
      })),
    });
  }
  return items;
}
