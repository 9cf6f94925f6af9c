// Settles a batch: a ring, a sweep and a deadline all call this. It locks the batch row first, derives the state from the
// branches and decides with one compare-and-set, so that the batch ends once however many callers there are.
import type { BatchStatus } from "@/server/contract/batch";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
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
    const { fail_fast, max_parallel, is_overdue, deadline_at } = standing.batch;
    const again = withAttemptsLeft(standing);
    const tasks = standing.branches.map((branch) => (again.includes(branch) ? "pending" : statusOf(branch)));
    const verdict = decide({ tasks, fail_fast, max_parallel, is_overdue });
    if (verdict.kind === "end") {
      const reasons = {
        all: "",
        fail_fast: "stopped: another branch of a fail-fast batch did not succeed",
        deadline: `stopped: the batch's deadline ${deadline_at} has passed`,
      };
      await endBatch(unit, standing, { ...verdict, reason: reasons[verdict.cause] });
      return { status: verdict.status, slots: 0 };
    }
    await tryAgain(unit, standing, again);
    const isHeldBack = standing.branches.some((branch) => branch.status === "pending");
    return { status: "running" as const, slots: isHeldBack ? verdict.free_slots : 0 };
  });
  if (settled === null || settled.slots === 0) return settled?.status ?? null;
  const { failed } = await dispatchPending(kernel, key);
  return failed > 0 ? settleBatch(kernel, key) : settled.status;
}
