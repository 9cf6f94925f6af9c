// A person cancels a batch: its running branches are stopped, and its parent continues with the results so far.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import type { BatchKey } from "./batch-row";
import { endBatch } from "./end-batch";
import { noBatch } from "./no-batch";
import { lockStanding } from "./read-standing";

const THERE = "SELECT 1 FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2";

/** False if it had already ended. not_found for an unknown batch. */
export async function cancelBatch(kernel: Kernel, input: BatchKey & { reason?: string; by: string }): Promise<boolean> {
  return withUnit(kernel, async (unit) => {
    const standing = await lockStanding(unit, input);
    if (!standing) {
      const found = await unit.query("batch_there", THERE, [input.project_id, input.batch_id]);
      if (found.length === 0) throw noBatch(input.project_id, input.batch_id);
      return false;
    }
    const reason = `batch stopped by ${input.by}${input.reason ? `: ${input.reason}` : ""}`;
    await endBatch(unit, standing, { status: "canceled", cause: "canceled", reason });
    return true;
  });
}
