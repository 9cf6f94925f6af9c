// A person stops a plan run: its batches end as canceled, what has not started is skipped, and whoever launched it is told. An agent
// that launched it goes on: the run is not all that it does.
import type { Kernel } from "../kernel";
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
  });
}
