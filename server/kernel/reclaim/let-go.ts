// A worker that stops properly hands its turn on at once, instead of leaving it until its lease ends.
import type { Kernel } from "../kernel";
import { isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { withUnit } from "../unit";
import { startAgain } from "./start-again";

/**
 * False if the worker no longer held the turn. It costs no attempt, because a deployment is not the turn's fault. Above
 * `handoversMax` it does, so that a turn whose workers are always stopped (for example because each runs out of memory)
 * ends.
 */
export async function letGo(kernel: Kernel, input: TurnKey & { worker_id: string }): Promise<boolean> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "let go" });
    if (isFenced(row) || row.lease_holder !== input.worker_id) return false;
    const max = kernel.tunables.handoversMax;
    await startAgain(unit, row, {
      note: "its worker stopped; handed to another",
      counts: row.handovers >= max,
      at_last: { note: "handed on too often", error: `workers that stopped handed it on ${max} times` },
    });
    return true;
  });
}
