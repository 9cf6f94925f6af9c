// A running turn without a heartbeat: its worker is dead or cut off. The turn goes on under a new epoch from what stands in
// its output box; after `attemptsMax` (a profile may say fewer) it ends failed.
import { moveWaits } from "../inbox/waits";
import type { Kernel } from "../kernel";
import { readBodies } from "../roster/read-bodies";
import { advance } from "../turns/advance";
import { endTurn } from "../turns/end-turn";
import { isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { ringLease } from "../turns/ring-lease";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";

const SILENT = `
  SELECT project_id, active_agent_turn_id AS agent_turn_id, turn_epoch FROM state.agent_state_head
  WHERE active_agent_turn_id IS NOT NULL AND status = 'running' AND heartbeat_at < now() - $1 * interval '1 ms'
  ORDER BY heartbeat_at LIMIT 64`;

const IS_SILENT = `
  SELECT heartbeat_at < now() - $3 * interval '1 ms' AS is_silent FROM state.agent_state_head
  WHERE project_id = $1 AND agent_id = $2`;

const REQUEUE = `
  INSERT INTO state.agent_inbox (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
    worker_target, payload, status, attempt)
  VALUES ($1, $2, $3, 'turn', $4, $5, $6, $7, '{}', 'pending', $8)
  ON CONFLICT (project_id, message_type, correlation_id) DO NOTHING`;

/** Answers how many turns were taken over or ended. */
export async function takeOver(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<TurnKey>({
    name: "reclaim_silent",
    text: SILENT,
    values: [kernel.tunables.leaseMs],
  });
  let acted = 0;
  for (const key of rows) if (await withUnit(kernel, (unit) => takeOverOne(unit, key))) acted++;
  return acted;
}

async function takeOverOne(unit: Unit, key: TurnKey): Promise<boolean> {
  const row = await lockTurn(unit, { ...key, statuses: ["running"], what: "take over" });
  if (isFenced(row)) return false;
  // Between the list and the lock it may have beaten again.
  const [head] = await unit.query<{ is_silent: boolean }>("reclaim_is_silent", IS_SILENT, [
    key.project_id,
    row.agent_id,
    unit.kernel.tunables.leaseMs,
  ]);
  if (!head?.is_silent) return false;
  await unit.probe("before-take-over");
  // Silent is not dead: it may be cut off from the database alone.
  ringLease(unit, row);
  if (row.attempt >= (await attemptsMax(unit, row))) {
    await endTurn(unit, {
      row,
      status: "failed",
      content: null,
      error_code: "timeout_reaped_by_watchdog",
      error: `its worker ${row.lease_holder ?? "?"} stopped beating, and this was attempt ${row.attempt}, the last one allowed`,
      note: "worker lost, attempts used up",
      epoch_step: 1,
    });
    return true;
  }
  await requeue(unit, row, `worker ${row.lease_holder ?? "?"} lost, taken over`);
  return true;
}

/** Head and turn go back to dispatched under a new epoch, with a fresh pending row. */
export async function requeue(unit: Unit, row: TurnRow, note: string): Promise<void> {
  const from = row.status === "running" ? "running" : "dispatched";
  const next = await advance(unit, {
    project_id: row.project_id,
    agent_turn_id: row.agent_turn_id,
    turn_epoch: row.turn_epoch,
    from: [from],
    to: "dispatched",
    epoch_step: 1,
    lease_holder: null,
    note,
  });
  if (isFenced(next)) throw new Error(`turn ${row.agent_turn_id} was locked and could not be requeued`);
  await unit.query("reclaim_requeue", REQUEUE, [
    row.project_id,
    unit.kernel.newId("inbox_"),
    row.agent_id,
    `${row.agent_turn_id}.${next.turn_epoch}`,
    row.agent_turn_id,
    next.turn_epoch,
    row.worker_target,
    next.attempt,
  ]);
  // Calls it had made are still under way: whoever goes on waits for them.
  await moveWaits(unit, next);
  unit.ring({ kind: "wakeup", project_id: row.project_id, worker_target: row.worker_target });
}

async function attemptsMax(unit: Unit, row: TurnRow): Promise<number> {
  const bodies = await readBodies(unit, { project_id: row.project_id, profile_box_ids: [row.profile_box_id] });
  return bodies.get(row.profile_box_id)?.max_attempts ?? unit.kernel.tunables.attemptsMax;
}
