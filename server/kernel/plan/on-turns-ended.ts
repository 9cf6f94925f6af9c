// What the end of turns means to plans and batches: plan runs that a turn launched end in the same transaction, before the
// batches that are theirs; plan runs with a node that a turn was part of are advanced after it.
import { onTurnsEnded as ofBatches } from "../batch/on-turns-ended";
import type { EndedTurn, Kernel, OnTurnsEnded, Transaction } from "../kernel";
import { advancePlan } from "./advance-plan";
import { endPlan } from "./end-plan";
import { lockPlan } from "./lock-plan";

const LAUNCHED = `
  SELECT plan_run_id FROM state.plan_runs WHERE project_id = $1 AND parent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY plan_run_id`;

export const onTurnsEnded: OnTurnsEnded = { ...ofBatches, afterEnd: turnsEnded };

async function turnsEnded(unit: Transaction, ended: EndedTurn[]): Promise<void> {
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
  await ofBatches.afterEnd(unit, ended);
  const batch_ids = [...new Set(ended.flatMap((turn) => (turn.plan_run_id === null ? [] : (turn.batch_id ?? []))))];
  if (batch_ids.length === 0) return;
  // After the batches were settled: the end of a batch advances its plan run by itself.
  unit.after(async () => {
    for (const plan_run_id of await stillRunning(unit.kernel, { project_id, batch_ids }))
      await advancePlan(unit.kernel, { project_id, plan_run_id });
  });
}

const STILL_RUNNING = `
  SELECT DISTINCT b.plan_run_id FROM state.pmo_batches b
  WHERE b.project_id = $1 AND b.batch_id = ANY ($2::text[]) AND (b.status = 'running' OR b.late <> '{}') ORDER BY b.plan_run_id`;

/** Plan runs in which a task of a fork may have met a track of its own. */
async function stillRunning(kernel: Kernel, input: { project_id: string; batch_ids: string[] }): Promise<string[]> {
  const { rows } = await kernel.db.pool.query<{ plan_run_id: string | null }>({
    name: "ended_plan_tasks",
    text: STILL_RUNNING,
    values: [input.project_id, input.batch_ids],
  });
  return rows.flatMap(({ plan_run_id }) => plan_run_id ?? []);
}

/** After the commit; the sweep does it if this process dies in between. */
export async function advanceAfter(unit: Transaction, key: { project_id: string; plan_run_id: string }): Promise<void> {
  unit.after(async () => {
    await advancePlan(unit.kernel, key);
  });
}
