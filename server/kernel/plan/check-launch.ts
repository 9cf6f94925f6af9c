// Checks what a request names, a published plan or a body, with as much detail as it asks for.

import { KernelError } from "@/server/contract/errors";
import { checkGraph, isRefused } from "@/server/contract/plan/check-graph";
import type { PlanCheck } from "@/server/contract/plan/kernel-check";
import { type CheckInput, LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import { ridersOf } from "@/server/contract/plan/plan-words";
import { refuseBadText } from "@/server/contract/text";
import type { Offer } from "../context/pack-item";
import { parseArgs } from "../delegation/parse-args";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";
import { checkPlan } from "./check-plan";
import { planNamed, refuseUndeclared } from "./plan-to-launch";

type Check = CheckInput & { project_id: string; user: string; offer: Offer };

/** not_found for the plan, its version, the agent or the run; bad_request for a node or an input that the plan does not have. */
export async function checkLaunch(kernel: Kernel, input: Check): Promise<PlanCheck> {
  const { project_id, detail, nodes, node, inputs, results_of, offer } = input;
  await readProject(kernel, project_id);
  refuseBadText({ plan: input.plan, inputs });
  const { plan } = await planNamed(kernel, project_id, input);
  if (inputs) refuseUndeclared(plan, inputs, "");
  const unknown = nodes?.find((asked) => !plan.nodes.some(({ id }) => id === asked));
  if (unknown !== undefined)
    throw new KernelError("bad_request", `nodes: the plan has no node ${unknown}`, { path: "nodes" });
  if (node !== undefined && !ridersOf(plan).some(({ place }) => place === node))
    throw new KernelError("bad_request", `node: the plan has no wagon, ask or task ${node}. Name a task as fork.task`, {
      path: "node",
    });
  if (detail === "graph") {
    const problems = checkGraph(plan, { fork_tasks_max: kernel.tunables.forkTasksMax });
    return { ok: !isRefused(problems), problems, nodes: [] };
  }
  const as = input.as ?? { user: input.user };
  return checkPlan(kernel, { project_id, plan, as, inputs, nodes, results_of, offer, prompt_of: node });
}

/** What a person's launch of a plan would be refused for, by the launch's own arguments. */
export async function previewPlan(
  kernel: Kernel,
  input: { project_id: string; args?: unknown; user: string; offer: Offer },
): Promise<PlanCheck> {
  const { inputs, is_stepped: _step, ...named } = parseArgs(LaunchPlanArgs, input.args);
  return checkLaunch(kernel, { ...input, ...named, inputs, detail: "packs" });
}
