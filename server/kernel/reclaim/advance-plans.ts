// Plan runs that nobody has advanced: a process died between the end of a batch and the next start, a hold was decided, a
// retry is due, a deadline has passed. Advancing decides by itself, so asking once too often does nothing.
import type { Kernel } from "../kernel";
import { advancePlan } from "../plan/advance-plan";
import type { PlanRunKey } from "../plan/plan-row";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const DUE = `
  SELECT r.project_id, r.plan_run_id, ${rowKey("r.plan_run_id")}
  FROM state.plan_runs r ${failureJoin("advance-plans", "r.project_id", "r.plan_run_id")}
  WHERE r.status = 'running' AND ${IS_TRIED} AND (NOT r.is_at_rest OR r.deadline_at <= now()
    OR EXISTS (SELECT 1 FROM state.plan_run_nodes n WHERE n.project_id = r.project_id AND n.plan_run_id = r.plan_run_id
      AND (n.next_retry_at <= now()
        OR (n.status = 'running' AND EXISTS (SELECT 1 FROM state.pmo_batches b
          WHERE b.project_id = n.project_id AND b.batch_id = n.batch_id AND b.status <> 'running'))
        -- A late task ended after its fork, and nothing of the fork will say so any more.
        OR (n.status = 'waiting' AND EXISTS (SELECT 1 FROM state.pmo_batches b
          JOIN state.pmo_batch_tasks k ON k.project_id = b.project_id AND k.batch_id = b.batch_id AND k.task_index = ANY (b.late)
          WHERE b.project_id = r.project_id AND b.plan_run_id = r.plan_run_id AND b.late <> '{}' AND k.status NOT IN ('pending', 'dispatched')))
        OR (n.status = 'held' AND EXISTS (SELECT 1 FROM state.human_requests q
          WHERE q.project_id = n.project_id AND q.request_id = n.request_id AND q.status IN ('approved', 'denied'))))))
  ORDER BY ${inTurn("r.project_id", "r.created_at")} LIMIT ${LIST_MAX}`;

/** Answers how many of them ended. One that cannot be advanced does not keep the others from it. */
export async function advancePlans(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<PlanRunKey & WatchedRow>({
    name: "reclaim_plans",
    text: DUE,
  });
  const due = { rule: "advance-plans", rows, isWhole: rows.length < LIST_MAX, lanes: 4 } as const;
  return eachRow(kernel, due, async ({ project_id, plan_run_id }, brief) => {
    const status = await advancePlan(brief, { project_id, plan_run_id });
    return status !== "running" && status !== null;
  });
}
