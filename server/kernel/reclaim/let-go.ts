// A worker that stops in an orderly way hands its turn on at once, instead of leaving it to the end of its lease.
import type { Kernel } from "../kernel";
import { isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { withUnit } from "../unit";
import { startAgain } from "./start-again";

/**
 * False when the turn was not the worker's any more. No attempt: a deployment is no fault of the turn. Beyond
 * `handoversMax` it is one, so that a turn whose workers are always told to stop (each of them full of memory, say) ends.
 */
export async function letGo(kernel: Kernel, input: TurnKey & { worker_id: string }): Promise<boolean> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "let go" });
    if (isFenced(row) || row.lease_holder !== input.worker_id) return false;
    const max = kernel.tunables.handoversMax;
    await startAgain(unit, row, {
      note: "its worker stopped, handed on",
      counts: row.handovers >= max,
      at_last: { note: "handed on too often", error: `it was handed on ${max} times by workers that stopped` },
    });
    return true;
  });
}
