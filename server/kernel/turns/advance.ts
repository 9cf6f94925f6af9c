// The gate between lease and end: a turn that is taken over, put to sleep, woken or started by itself changes its status here,
// as a compare-and-set on turn, epoch and status, and leaves its frame. Its agent's row stays as it is: it names the turn until its end.
// take-work.ts starts what it claims in its own statement, lease-next.ts and end-turns.ts stand at both ends; no fifth file writes the
// status of a live turn (only-kernel.test.ts). Set-wise, since starts come sixteen at a time.
import type { HeadStatus } from "@/server/contract/agent";
import { columnsOf } from "../columns";
import { toldTurnsSql } from "../journal/told";
import type { Unit } from "../unit";
import { type Applied, appliedBeforeSql, appliedSetSql } from "./apply-results";
import type { Fenced } from "./fenced";
import type { TurnKey } from "./lock-turn";
import { TELLS, toldTurnSql } from "./turn-frame-sql";
import { TURN_COLUMNS, type TurnRow, toldTurn } from "./turn-row";

const advanceSql = (before: string, set: string, told: string) => `
  WITH ${before}moved AS (
    UPDATE state.agent_turns t SET ${set}
      status = g.is_to, turn_epoch = t.turn_epoch + g.epoch_step, lease_holder = g.lease_holder,
      heartbeat_at = CASE WHEN g.is_to = 'running' THEN now() END,
      attempt = t.attempt + CASE WHEN g.is_to = 'dispatched' AND g.counts THEN 1 ELSE 0 END,
      handovers = t.handovers + CASE WHEN g.is_to = 'dispatched' AND NOT g.counts THEN 1 ELSE 0 END,
      leased_at = CASE WHEN g.is_to = 'dispatched' THEN now() ELSE t.leased_at END,
      started_at = CASE WHEN g.is_to = 'running' THEN coalesce(t.started_at, now()) ELSE t.started_at END,
      taken_by = CASE WHEN g.is_to = 'running' AND t.status = 'dispatched' THEN g.lease_holder ELSE t.taken_by END,
      taken_epoch = CASE WHEN g.is_to = 'running' AND t.status = 'dispatched' THEN t.turn_epoch ELSE t.taken_epoch END,
      note = coalesce(g.note, t.note), rev = t.rev + 1
    FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint, is_from text[], is_to text, epoch_step int, counts boolean,
      lease_holder text, note text)
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($3::text[]) AND t.agent_turn_id = g.agent_turn_id AND t.turn_epoch = g.turn_epoch
      AND t.status = ANY (g.is_from) AND NOT t.is_human
    RETURNING ${columnsOf(TURN_COLUMNS, "t")}, t.taken_by, t.taken_epoch, g.counts
  ), gone AS (
    DELETE FROM state.due d USING moved m WHERE d.project_id = $1 AND d.agent_turn_id = m.agent_turn_id AND m.status = 'suspended'
  ), due AS (
    INSERT INTO state.due AS d (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, next_retry_at, attempt,
      claimed_by, claimed_at, heartbeat_at)
    SELECT $1, m.agent_turn_id, m.turn_epoch, m.worker_target, m.needs_own_worker, hashtext(m.root_turn_id),
      CASE WHEN m.counts THEN now() ELSE m.created_at END, m.attempt, m.lease_holder, m.heartbeat_at, m.heartbeat_at
    FROM moved m WHERE m.status <> 'suspended'
    ON CONFLICT (project_id, agent_turn_id) DO UPDATE SET turn_epoch = excluded.turn_epoch, claimed_by = excluded.claimed_by,
      queued_for = CASE WHEN excluded.claimed_by IS NULL THEN d.queued_for END, is_held = d.is_held AND excluded.claimed_by IS NULL,
      claimed_at = excluded.claimed_at, heartbeat_at = excluded.heartbeat_at,
      attempt = CASE WHEN excluded.claimed_by IS NULL THEN excluded.attempt ELSE d.attempt END,
      next_retry_at = CASE WHEN excluded.claimed_by IS NULL THEN excluded.next_retry_at ELSE d.next_retry_at END
  ), holders AS (
    INSERT INTO state.turn_holders (project_id, agent_turn_id, turn_epoch, held_by)
    SELECT $1, m.agent_turn_id, m.taken_epoch, m.taken_by FROM moved m WHERE m.status = 'dispatched' AND m.taken_by IS NOT NULL
    ON CONFLICT DO NOTHING
  ), ${toldTurnsSql(`SELECT project_id, ${told} AS told FROM moved m`)}
  SELECT ${columnsOf(TURN_COLUMNS, "m")} FROM moved m`;
const ADVANCE = advanceSql("", "", toldTurnSql("m", `${TELLS.turn}`));
const ADVANCE_APPLYING = advanceSql(
  appliedBeforeSql("($3::text[])[1]", "$4", "$5", "$6", "$7"),
  appliedSetSql("$8", "$9", "$10"),
  toldTurnSql(
    "m",
    `${TELLS.turn}::int + ${TELLS.box}::int`,
    "NULL",
    "$11::text, $12::text, $13::bigint, $14::int, $15::bigint",
  ),
);

export type Advance = TurnKey & {
  from: Exclude<HeadStatus, "idle">[];
  /** To `dispatched` again = a takeover, which counts as another attempt, or a turn handed on, which does not. */
  to: Exclude<HeadStatus, "idle">;
  epoch_step: 0 | 1;
  /** Absent = yes. */
  counts?: boolean;
  lease_holder: string | null;
  note?: string;
};

export async function advance(unit: Unit, input: Advance): Promise<TurnRow | Fenced> {
  const [row] = await advanceAll(unit, { project_id: input.project_id, steps: [input] });
  return row ?? { fenced: true, current_epoch: null };
}

/** In input order; null where turn, epoch or status is not what was believed. The turns are locked by the caller (K17). */
export async function advanceAll(
  unit: Unit,
  input: { project_id: string; steps: Advance[] },
): Promise<(TurnRow | null)[]> {
  const { project_id, steps } = input;
  if (steps.length === 0) return [];
  const ids = steps.map((step) => step.agent_turn_id);
  const given = JSON.stringify(steps.map(givenOf));
  const rows = await unit.query<TurnRow>("turns_advance", ADVANCE, [project_id, given, ids]);
  const byId = new Map(rows.map((row) => [row.agent_turn_id, row]));
  return steps.map(({ agent_turn_id }) => {
    const row = byId.get(agent_turn_id) ?? null;
    if (row) unit.told(project_id, [toldTurn(row)]);
    return row;
  });
}

/**
 * Advances one turn that reads results while it moves. It is locked, and its epoch and status were compared: what is read is written even
 * where the turn does not move, so a turn that is not as the step says is an error here, and the unit is given up.
 */
export async function advanceApplying(unit: Unit, step: Advance, { values }: Applied): Promise<TurnRow> {
  const { project_id, agent_turn_id } = step;
  const own = [project_id, JSON.stringify([givenOf(step)]), [agent_turn_id]];
  const [row] = await unit.query<TurnRow>("turn_advance_applying", ADVANCE_APPLYING, [...own, ...values]);
  if (!row) throw new Error(`turn ${agent_turn_id} was locked and could not be moved`);
  unit.told(project_id, [toldTurn(row)]);
  return row;
}

const givenOf = (step: Advance) => ({
  agent_turn_id: step.agent_turn_id,
  turn_epoch: step.turn_epoch,
  is_from: step.from,
  is_to: step.to,
  epoch_step: step.epoch_step,
  counts: step.counts ?? true,
  lease_holder: step.lease_holder,
  note: step.note ?? null,
});
