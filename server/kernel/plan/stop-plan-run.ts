// A person stops a plan run: its batches end as canceled, what has not started is skipped, and whoever launched it is told. An agent
// that launched it goes on: the run is not all that it does.
import type { Kernel } from "../kernel";
import { stopTurns } from "../turns/stop-turns";
import type { Unit } from "../unit";
import { withUnit } from "../unit";
import { endPlan } from "./end-plan";
import { lockPlan } from "./lock-plan";
import { refuseEnded } from "./no-plan-run";
import type { PlanRunKey } from "./plan-row";

export type StopPlanRun = PlanRunKey & { by: string; reason?: string };

/** not_found; conflict for a run that has ended. */
export async function stopPlanRun(kernel: Kernel, { by, reason, ...key }: StopPlanRun): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, key);
    if (!standing) return refuseEnded(unit, key);
    const said = reason ? `stopped by ${by}: ${reason}` : `stopped by ${by}`;
    await endPlan(unit, standing, { status: "canceled", cause: "stopped", reason: said });
    await stopLate(unit, key, said);
  });
}

// Their batches are over: what ends those no longer reaches them.
const LATE = `
  SELECT k.agent_turn_id FROM state.pmo_batches b
  JOIN state.pmo_batch_tasks k ON k.project_id = b.project_id AND k.batch_id = b.batch_id AND k.status = 'dispatched'
  WHERE b.project_id = $1 AND b.plan_run_id = $2 AND b.status <> 'running' ORDER BY k.agent_turn_id`;

async function stopLate(unit: Unit, { project_id, plan_run_id }: PlanRunKey, error: string): Promise<void> {
  const late = await unit.query<{ agent_turn_id: string | null }>("plan_late", LATE, [project_id, plan_run_id]);
  if (late.length === 0) return;
  await stopTurns(unit, {
    project_id,
    agent_turn_ids: late.flatMap(({ agent_turn_id }) => agent_turn_id ?? []),
    status: "canceled",
    error_code: "stopped",
    error,
    note: "stopped with its run",
  });
}
