// A running turn without a heartbeat: its worker is dead or disconnected. The turn continues under a new epoch from its output
// box; after `attemptsMax` (a profile may set fewer) it fails. Leases end up to a quarter later, each at a different time:
// the turns of a dead worker used to be claimed and read all in the same second.
import type { Kernel } from "../kernel";
import { isFenced } from "../turns/fenced";
import { isLeaseGrace } from "../turns/lease-grace";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { ringLease } from "../turns/ring-lease";
import { type Unit, withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, rowKey, type WatchedRow } from "./each-row";
import { startAgain } from "./start-again";

const SILENT_MAX = 64;
/** For a row `d` of state.due; depends on the turn and its epoch, so that every watchdog and each look agree. */
const silentSql = (ms: string) =>
  `d.heartbeat_at < now() - ${ms}::float8 * (1 + (hashtext(d.agent_turn_id || '.' || d.turn_epoch) & 1023) / 4096.0::float8) * interval '1 ms'`;
const SILENT = `
  SELECT d.project_id, d.agent_turn_id, d.turn_epoch, ${rowKey("d.agent_turn_id")}
  FROM state.due d ${failureJoin("take-over", "d.project_id", "d.agent_turn_id")}
  WHERE d.claimed_by IS NOT NULL AND ${silentSql("$1")} AND ${IS_TRIED}
  ORDER BY ${inTurn("d.project_id", "d.heartbeat_at")} LIMIT ${SILENT_MAX}`;

const IS_SILENT = `
  SELECT ${silentSql("$3")} AS is_silent FROM state.due d WHERE d.project_id = $1 AND d.agent_turn_id = $2 FOR UPDATE`;

/** Returns how many turns were taken over or ended. */
export async function takeOver(kernel: Kernel): Promise<number> {
  if (await isLeaseGrace(kernel)) return 0;
  const { rows } = await kernel.db.pool.query<TurnKey & WatchedRow>({
    name: "reclaim_silent",
    text: SILENT,
    values: [kernel.tunables.leaseMs],
  });
  const due = { rule: "take-over", rows, isWhole: rows.length < SILENT_MAX } as const;
  return eachRow(kernel, due, (key, brief) => withUnit(brief, (unit) => takeOverOne(unit, key)));
}

async function takeOverOne(unit: Unit, key: TurnKey): Promise<boolean> {
  const row = await lockTurn(unit, { ...key, statuses: ["running"], what: "take over" });
  if (isFenced(row)) return false;
  // It may have sent a heartbeat between the list and the lock.
  const [lease] = await unit.query<{ is_silent: boolean }>("reclaim_is_silent", IS_SILENT, [
    key.project_id,
    row.agent_turn_id,
    unit.kernel.tunables.leaseMs,
  ]);
  if (!lease?.is_silent) return false;
  await unit.probe("before-take-over");
  // Silent is not dead: it may only have lost its connection to the database.
  ringLease(unit, row);
  const worker = row.lease_holder ?? "?";
  await startAgain(unit, row, {
    note: `worker ${worker} lost, taken over`,
    at_last: { note: "worker lost, no attempts left", error: `its worker ${worker} stopped sending heartbeats` },
  });
  return true;
}
