// Renames, describes, archives and deletes a plan. Its versions stay as they are.
import { KernelError } from "@/server/contract/errors";
import type { PlanRecord } from "@/server/contract/plan/plan-record";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { refuseDots } from "../refuse-dots";
import { sqlState } from "../storage-error";
import { withUnit } from "../unit";
import { PLAN_COLUMNS, type PlanRow, planOf } from "./plan-record-row";

const CHANGE = `
  UPDATE resource.plans p SET name = coalesce($3, p.name), description = coalesce($4, p.description),
    archived_at = CASE WHEN $5::boolean IS NULL THEN p.archived_at WHEN $5 THEN coalesce(p.archived_at, now()) END,
    rev = p.rev + 1, updated_at = now()
  WHERE p.project_id = $1 AND lower(p.name) = lower($2) AND NOT EXISTS (SELECT 1 FROM resource.plans o
    WHERE o.project_id = $1 AND lower(o.name) = lower($3) AND o.plan_id <> p.plan_id)
  RETURNING ${columnsOf(PLAN_COLUMNS, "p")}`;
const THERE = "SELECT plan_id FROM resource.plans WHERE project_id = $1 AND lower(name) = lower($2) FOR UPDATE";
const RUNS =
  "SELECT count(*)::int AS n FROM (SELECT 1 FROM state.plan_runs WHERE project_id = $1 AND plan_id = $2 LIMIT 1000) AS runs";
const DELETE = "DELETE FROM resource.plans WHERE project_id = $1 AND plan_id = $2";

export type PlanChange = { name?: string; description?: string; archived?: boolean };
type Named = { project_id: string; name: string };

const noPlan = ({ name, project_id }: Named): KernelError =>
  new KernelError("not_found", `plan ${name} not found in project ${project_id}`);

const taken = (name: string): KernelError =>
  new KernelError("conflict", `name: a plan named ${name} exists; choose another name`);

/** not_found; conflict for a taken name. */
export async function changePlan(kernel: Kernel, input: Named & { change: PlanChange }): Promise<PlanRecord> {
  const { project_id, name, change } = input;
  refuseBadText(change);
  if (change.name !== undefined) refuseDots(change.name, "name");
  const changed = withUnit(kernel, async (unit) => {
    const found = await unit.query("plan_there", THERE, [project_id, name]);
    if (found.length === 0) throw noPlan(input);
    const [row] = await unit.query<PlanRow>("plan_change", CHANGE, [
      project_id,
      name,
      change.name ?? null,
      change.description ?? null,
      change.archived ?? null,
    ]);
    if (!row) throw taken(change.name ?? name);
    return planOf(row);
  });
  // Another plan was given that name at the same moment, and its unit was quicker to commit.
  return changed.catch((error: unknown) => {
    throw sqlState(error) === TWICE && change.name !== undefined ? taken(change.name) : error;
  });
}
const TWICE = "23505";

/** not_found; conflict while it has runs: they would lose what they are runs of. */
export async function deletePlan(kernel: Kernel, input: Named): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const [found] = await unit.query<{ plan_id: string }>("plan_there", THERE, [input.project_id, input.name]);
    if (!found) throw noPlan(input);
    const [runs] = await unit.query<{ n: number }>("plan_has_runs", RUNS, [input.project_id, found.plan_id]);
    if (runs && runs.n > 0)
      throw new KernelError(
        "conflict",
        `plan ${input.name} has ${runs.n} runs and cannot be deleted; archive it instead`,
      );
    await unit.query("plan_delete", DELETE, [input.project_id, found.plan_id]);
  });
}
