// A turn goes back to the queue under a new epoch, and the worker that takes it continues from its
// output box. This counts as an attempt if its worker was lost. If its worker stopped properly, nothing was lost: three
// deployments within one long turn used to use up its attempts, and the next crash failed it.
import { moveWaits } from "../inbox/waits";
import { readBodies } from "../roster/read-bodies";
import { advance } from "../turns/advance";
import { endTurn } from "../turns/end-turn";
import { isFenced } from "../turns/fenced";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";

export type Again = {
  note: string;
  /** false = it was handed on: no attempt. Absent = it counts. */
  counts?: boolean;
  /** The message if this was the last attempt. */
  at_last: { note: string; error: string };
};

/** For a turn that is locked and running. It fails if this counts and its attempts are used up. */
export async function startAgain(unit: Unit, row: TurnRow, again: Again): Promise<void> {
  const { counts = true, at_last } = again;
  if (!counts || row.attempt < (await attemptsMax(unit, row))) return requeue(unit, row, { counts, note: again.note });
  await endTurn(unit, {
    row,
    status: "failed",
    content: null,
    error_code: "timeout_reaped_by_watchdog",
    error: `${at_last.error}, and attempt ${row.attempt} was the last`,
    note: at_last.note,
    epoch_step: 1,
  });
}

// A turn that is handed on keeps its place (advance.ts), because everything due before it has already been taken. When it went to the
// end of the queue, a deployment under load made each running turn wait the whole time once more.
async function requeue(unit: Unit, row: TurnRow, { counts, note }: { counts: boolean; note: string }): Promise<void> {
  const next = await advance(unit, {
    project_id: row.project_id,
    agent_turn_id: row.agent_turn_id,
    turn_epoch: row.turn_epoch,
    from: ["running"],
    to: "dispatched",
    epoch_step: 1,
    counts,
    lease_holder: null,
    note,
  });
  if (isFenced(next)) throw new Error(`turn ${row.agent_turn_id} was locked and could not be requeued`);
  // Calls it had made are still running: the next worker waits for them.
  await moveWaits(unit, next);
  unit.ring({ kind: "wakeup", project_id: row.project_id, worker_target: row.worker_target });
}

async function attemptsMax(unit: Unit, row: TurnRow): Promise<number> {
  const bodies = await readBodies(unit, { project_id: row.project_id, profile_box_ids: [row.profile_box_id] });
  return bodies.get(row.profile_box_id)?.max_attempts ?? unit.kernel.tunables.attemptsMax;
}
