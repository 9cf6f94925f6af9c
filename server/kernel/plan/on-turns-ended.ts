// What the end of turns means to plans and batches: plan runs that a turn launched end in the same transaction, before the
// batches that are theirs; plan runs with a node that a turn was part of are advanced after it.
import { onTurnsEnded as onBatchTurnsEnded } from "../batch/on-turns-ended";
import type { EndedTurn, Transaction } from "../kernel";
import { advancePlan } from "./advance-plan";
import { endPlan } from "./end-plan";
import { lockPlan } from "./lock-plan";

const LAUNCHED = `
  SELECT plan_run_id FROM state.plan_runs WHERE project_id = $1 AND parent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY plan_run_id`;

export async function onTurnsEnded(unit: Transaction, ended: EndedTurn[]): Promise<void> {
  const [first] = ended;
  if (!first) return;
  const { project_id } = first;
  const parents = ended.filter((turn) => turn.has_plan).map((turn) => turn.agent_turn_id);
  if (parents.length > 0) {
    const rows = await unit.query<{ plan_run_id: string }>("ended_plans", LAUNCHED, [project_id, parents]);
    for (const { plan_run_id } of rows) {
      const standing = await lockPlan(unit, { project_id, plan_run_id });
      if (standing) await endPlan(unit, standing, { status: "canceled", cause: "parent_ended" });
    }
  }
  await onBatchTurnsEnded(unit, ended);
  for (const plan_run_id of new Set(ended.flatMap((turn) => turn.plan_run_id ?? [])))
    await advanceAfter(unit, { project_id, plan_run_id });
}

/** After the commit; the sweep does it if this process dies in between. */
export async function advanceAfter(unit: Transaction, key: { project_id: string; plan_run_id: string }): Promise<void> {
  unit.after(async () => {
    await advancePlan(unit.kernel, key);
  });
}
