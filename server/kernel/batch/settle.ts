// Settles a batch: a ring, a sweep and a deadline all call this. It locks the batch row first, derives the state from the
// branches and decides with one compare-and-set, so that the batch ends once however many callers there are.
import type { BatchStatus } from "@/server/contract/batch";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { arrivalsOf, writeArrivals } from "./arrivals";
import { tryAgain, withAttemptsLeft } from "./attempts";
import type { BatchKey } from "./batch-row";
import { decide } from "./decide";
import { dispatchPending } from "./dispatch-pending";
import { endBatch } from "./end-batch";
import { lockStanding, statusOf } from "./read-standing";

/** Its status now; null if it had already ended or does not exist. */
export async function settleBatch(kernel: Kernel, key: BatchKey): Promise<BatchStatus | null> {
  const settled = await withUnit(kernel, async (unit) => {
    const standing = await lockStanding(unit, key);
    if (!standing) return null;
    await unit.probe("settle-locked");
    const { fail_fast, max_parallel, is_overdue, is_gate_due, deadline_at, policy } = standing.batch;
    const again = withAttemptsLeft(standing);
    const tasks = standing.branches.map((branch) => (again.includes(branch) ? "pending" : statusOf(branch)));
    const arrivals = arrivalsOf(standing, again);
    const gate = policy === null ? undefined : { policy, arrivals, is_due: is_gate_due };
    const verdict = decide({ tasks, fail_fast, max_parallel, is_overdue, gate });
    if (verdict.kind === "end") {
      const reasons = {
        all: "",
        fail_fast: "stopped: another branch of a fail-fast batch did not succeed",
        deadline: `stopped: the batch's deadline ${deadline_at} has passed`,
        satisfied: "stopped: enough other tasks had arrived",
        quorum_unreachable: "stopped: too few tasks could still arrive",
        join_timeout: "stopped: the time of the join was over",
        partial_timeout: "stopped: the time of the join was over",
      };
      await endBatch(unit, standing, { ...verdict, reason: reasons[verdict.cause], arrivals });
      return { status: verdict.status, slots: 0 };
    }
    await writeArrivals(unit, standing, arrivals);
    await tryAgain(unit, standing, again);
    const isHeldBack = standing.branches.some((branch) => branch.status === "pending");
    return { status: "running" as const, slots: isHeldBack ? verdict.free_slots : 0 };
  });
  if (settled === null || settled.slots === 0) return settled?.status ?? null;
  const { failed } = await dispatchPending(kernel, key);
  return failed > 0 ? settleBatch(kernel, key) : settled.status;
}
