// The same refusal for an unknown plan run and for one of another project, and for nodes that a plan does not have.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import type { NodeStanding, PlanStanding } from "./lock-plan";
import type { PlanRunKey } from "./plan-row";

export const noPlanRun = ({ project_id, plan_run_id }: PlanRunKey): KernelError =>
  new KernelError("not_found", `plan run ${plan_run_id} not found in project ${project_id}`);

const STATUS = "SELECT status FROM state.plan_runs WHERE project_id = $1 AND plan_run_id = $2";

/** Why a run could not be locked: not_found, or conflict for one that has ended. */
export async function refuseEnded(unit: Unit, key: PlanRunKey): Promise<never> {
  const [run] = await unit.query<{ status: string }>("plan_status", STATUS, [key.project_id, key.plan_run_id]);
  if (!run) throw noPlanRun(key);
  throw new KernelError(
    "conflict",
    `plan run ${key.plan_run_id} has ended (${run.status}). Fork it: what is the same takes its recorded result, and force names what runs again`,
  );
}

/** not_found names the nodes there are. */
export function nodeIn({ nodes, run }: PlanStanding, node_id: string): NodeStanding {
  const node = nodes.get(node_id);
  if (node) return node;
  throw new KernelError(
    "not_found",
    `node: plan run ${run.plan_run_id} has no node ${node_id}. It has ${[...nodes.keys()].join(", ")}`,
    {
      path: "node",
    },
  );
}
