// The plans of a project as people read them: what each asks for, and how its last runs ended.
import type { PlanInput } from "@/server/contract/plan/plan";
import type { PlanLines } from "@/server/contract/plan/plan-sheet";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { listPlans } from "../plan/read-plans";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { planRunLines } from "./plan-run-lines";

const HEADS = `
  SELECT p.plan_id, coalesce(v.body -> 'inputs', '[]'::jsonb) AS inputs, jsonb_array_length(v.body -> 'nodes') AS node_count
  FROM resource.plans p
  JOIN resource.plan_versions v ON v.project_id = p.project_id AND v.plan_id = p.plan_id AND v.version = p.head_version
  WHERE p.project_id = $1`;
const RUNS_MAX = 5;

type Head = { plan_id: string; inputs: PlanInput[]; node_count: number };

/** By name; archived ones too where asked. not_found for an unknown project. */
export async function listPlanLines(
  kernel: Kernel,
  input: { project_id: string; archived: boolean },
): Promise<PlanLines> {
  const { project_id } = input;
  await readProject(kernel, project_id);
  const live_cursor = await readCursor(kernel, project_id);
  const plans = await listPlans(kernel, input);
  const plan_ids = plans.map(({ plan_id }) => plan_id);
  const [heads, runs] = await Promise.all([
    read<Head>(kernel, "plan_heads", HEADS, [project_id]),
    planRunLines(kernel, { project_id, plan_ids, limit: RUNS_MAX }),
  ]);
  const headOf = new Map(heads.map((head) => [head.plan_id, head]));
  const items = plans.map((plan) => ({
    ...plan,
    inputs: headOf.get(plan.plan_id)?.inputs ?? [],
    node_count: headOf.get(plan.plan_id)?.node_count ?? 0,
    runs: runs.get(plan.plan_id) ?? [],
  }));
  return { items, live_cursor };
}
