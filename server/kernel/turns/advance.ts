// The gate between lease and end: a head that is taken over, put to sleep, woken or started by itself changes its status here,
// as a compare-and-set on turn, epoch and status, and leaves its frame. take-work.ts starts what it claims in its own statement,
// lease-next.ts and end-turns.ts stand at both ends; no fifth file writes a head's status (only-kernel.test.ts).
// Set-wise, since starts come sixteen at a time.
import type { HeadStatus } from "@/server/contract/agent";
import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import type { Fenced } from "./fenced";
import type { TurnKey } from "./lock-turn";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

const ADVANCE = `
  WITH given AS (
    SELECT g.*, t.agent_id FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint, is_from text[], is_to text,
      epoch_step int, counts boolean, lease_holder text, note text, waiting_count int, deadline timestamptz)
    CROSS JOIN LATERAL (SELECT agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = g.agent_turn_id OFFSET 0) t
  ), head AS (
    UPDATE state.agent_state_head h SET
      status = g.is_to, turn_epoch = h.turn_epoch + g.epoch_step, lease_holder = g.lease_holder,
      leased_at = CASE WHEN g.is_to = 'dispatched' THEN now() ELSE h.leased_at END,
      heartbeat_at = CASE WHEN g.is_to = 'running' THEN now() ELSE NULL END,
      waiting_tool_count = g.waiting_count, resume_deadline = g.deadline, rung_at = NULL, updated_at = now()
    FROM given g
    WHERE h.project_id = $1 AND h.agent_id = ANY (ARRAY(SELECT agent_id FROM given)) AND h.agent_id = g.agent_id AND h.active_agent_turn_id = g.agent_turn_id AND h.turn_epoch = g.turn_epoch
      AND h.status = ANY (g.is_from)
    RETURNING g.agent_turn_id, g.is_to, g.counts, g.lease_holder, g.note, h.turn_epoch, h.heartbeat_at,
      g.is_to = 'running' AND 'dispatched' = ANY (g.is_from) AS is_start
  ), gone AS (
    DELETE FROM state.due d USING head WHERE d.project_id = $1 AND d.agent_turn_id = head.agent_turn_id AND head.is_to = 'suspended'
  ), due AS (
    INSERT INTO state.due AS d (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, next_retry_at, attempt,
      claimed_by, claimed_at, heartbeat_at)
    SELECT $1, t.agent_turn_id, head.turn_epoch, t.worker_target, t.needs_own_worker, hashtext(t.root_turn_id),
      CASE WHEN head.counts THEN now() ELSE t.created_at END, t.attempt + CASE WHEN head.is_to = 'dispatched' AND head.counts THEN 1 ELSE 0 END,
      head.lease_holder, CASE WHEN head.is_to = 'running' THEN now() END, head.heartbeat_at
    FROM head CROSS JOIN LATERAL (SELECT t.agent_turn_id, t.worker_target, t.needs_own_worker, t.root_turn_id, t.created_at, t.attempt
      FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = head.agent_turn_id OFFSET 0) t
    WHERE head.is_to <> 'suspended'
    ON CONFLICT (project_id, agent_turn_id) DO UPDATE SET turn_epoch = excluded.turn_epoch, claimed_by = excluded.claimed_by,
      claimed_at = excluded.claimed_at, heartbeat_at = excluded.heartbeat_at,
      attempt = CASE WHEN excluded.claimed_by IS NULL THEN excluded.attempt ELSE d.attempt END,
      next_retry_at = CASE WHEN excluded.claimed_by IS NULL THEN excluded.next_retry_at ELSE d.next_retry_at END
  ), holders AS (
    INSERT INTO state.turn_holders (project_id, agent_turn_id, turn_epoch, held_by)
    SELECT $1, t.agent_turn_id, t.taken_epoch, t.taken_by
    FROM head CROSS JOIN LATERAL (SELECT t.agent_turn_id, t.taken_epoch, t.taken_by
      FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = head.agent_turn_id AND t.taken_by IS NOT NULL OFFSET 0) t
    WHERE head.is_to = 'dispatched'
    ON CONFLICT DO NOTHING
  )
  UPDATE state.agent_turns t SET
    status = head.is_to, turn_epoch = head.turn_epoch, lease_holder = head.lease_holder, heartbeat_at = head.heartbeat_at,
    attempt = t.attempt + CASE WHEN head.is_to = 'dispatched' AND head.counts THEN 1 ELSE 0 END,
    handovers = t.handovers + CASE WHEN head.is_to = 'dispatched' AND NOT head.counts THEN 1 ELSE 0 END,
    leased_at = CASE WHEN head.is_to = 'dispatched' THEN now() ELSE t.leased_at END,
    started_at = CASE WHEN head.is_to = 'running' THEN coalesce(t.started_at, now()) ELSE t.started_at END,
    taken_by = CASE WHEN head.is_start THEN head.lease_holder ELSE t.taken_by END,
    taken_epoch = CASE WHEN head.is_start THEN head.turn_epoch ELSE t.taken_epoch END,
    note = coalesce(head.note, t.note), rev = t.rev + 1
  FROM head
  WHERE t.project_id = $1 AND t.agent_turn_id = head.agent_turn_id
  RETURNING ${columnsOf(TURN_COLUMNS, "t")}`;

export type Advance = TurnKey & {
  from: Exclude<HeadStatus, "idle">[];
  /** To `dispatched` again = a takeover, which counts as another attempt, or a turn handed on, which does not. */
  to: Exclude<HeadStatus, "idle">;
  epoch_step: 0 | 1;
  /** Absent = yes. */
  counts?: boolean;
  lease_holder: string | null;
  note?: string;
  /** To `suspended`: how many calls it waits for, and until when at the latest (ISO; null = for ever). */
  waiting?: { count: number; deadline: string | null };
};

export async function advance(unit: Unit, input: Advance): Promise<TurnRow | Fenced> {
  const [row] = await advanceAll(unit, { project_id: input.project_id, steps: [input] });
  return row ?? { fenced: true, current_epoch: null };
}

/** In input order; null where turn, epoch or status is not what was believed. The heads are locked by the caller (K17). */
export async function advanceAll(
  unit: Unit,
  input: { project_id: string; steps: Advance[] },
): Promise<(TurnRow | null)[]> {
  const { project_id, steps } = input;
  if (steps.length === 0) return [];
  const given = steps.map((step) => ({
    agent_turn_id: step.agent_turn_id,
    turn_epoch: step.turn_epoch,
    is_from: step.from,
    is_to: step.to,
    epoch_step: step.epoch_step,
    counts: step.counts ?? true,
    lease_holder: step.lease_holder,
    note: step.note ?? null,
    waiting_count: step.waiting?.count ?? 0,
    deadline: step.waiting?.deadline ?? null,
  }));
  const rows = await unit.query<TurnRow>("turns_advance", ADVANCE, [project_id, JSON.stringify(given)]);
  const byId = new Map(rows.map((row) => [row.agent_turn_id, row]));
  return steps.map(({ agent_turn_id }) => {
    const row = byId.get(agent_turn_id) ?? null;
    if (row) unit.frame(project_id, turnFrame(row));
    return row;
  });
}
