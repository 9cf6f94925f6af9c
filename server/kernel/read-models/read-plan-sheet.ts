// One plan as its page needs it: a version as text, all versions, and its last runs.
import type { PlanSheet } from "@/server/contract/plan/plan-sheet";
import { toYaml } from "@/server/contract/plan/yaml/to-yaml";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { readBody } from "../plan/lock-plan";
import { listPlanVersions, readPlan, readPlanVersion } from "../plan/read-plans";
import { planRunLines } from "./plan-run-lines";

const RUNS_MAX = 20;

/** not_found for an unknown name or version, and for a plan of another project alike. */
export async function readPlanSheet(
  kernel: Kernel,
  input: { project_id: string; name: string; version?: number },
): Promise<PlanSheet> {
  const { project_id } = input;
  const live_cursor = await readCursor(kernel, project_id);
  const plan = await readPlan(kernel, input);
  const [{ body, layout, ...line }, versions, runs] = await Promise.all([
    readPlanVersion(kernel, input),
    listPlanVersions(kernel, input),
    planRunLines(kernel, { project_id, plan_ids: [plan.plan_id], limit: RUNS_MAX }),
  ]);
  const shown = readBody({ ...body, layout });
  return {
    ...plan,
    shown: { ...line, yaml: toYaml(shown), inputs: shown.inputs },
    versions,
    runs: runs.get(plan.plan_id) ?? [],
    live_cursor,
  };
}
