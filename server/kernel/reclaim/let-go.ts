// A worker that stops in an orderly way hands its turn on at once, instead of leaving it to the end of its lease.
import type { Kernel } from "../kernel";
import { isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { withUnit } from "../unit";
import { requeue } from "./take-over";

/** False when the turn was not the worker's any more. Counts as an attempt, as every new start does. */
export async function letGo(kernel: Kernel, input: TurnKey & { worker_id: string }): Promise<boolean> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "let go" });
    if (isFenced(row) || row.lease_holder !== input.worker_id) return false;
    await requeue(unit, row, "its worker stopped, handed on");
    return true;
  });
}
