// The one gate: every change of a head between lease and end goes through here, as a compare-and-set on turn, epoch and
// status, and leaves its frame.
import type { HeadStatus } from "@/server/contract/agent";
import type { Unit } from "../unit";
import type { Fenced } from "./fenced";
import type { TurnKey } from "./lock-turn";
import { type TurnRow, turnFrame } from "./turn-row";

const ADVANCE = `
  WITH head AS (
    UPDATE state.agent_state_head h SET
      status = $5, turn_epoch = h.turn_epoch + $6, lease_holder = $7,
      leased_at = CASE WHEN $5 = 'dispatched' THEN now() ELSE h.leased_at END,
      heartbeat_at = CASE WHEN $5 = 'running' THEN now() ELSE NULL END,
      waiting_tool_count = $9, resume_deadline = $10::timestamptz, rung_at = NULL, updated_at = now()
    WHERE h.project_id = $1 AND h.active_agent_turn_id = $2 AND h.turn_epoch = $3 AND h.status = ANY ($4::text[])
      AND h.agent_id = (SELECT agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2)
    RETURNING h.project_id, h.active_agent_turn_id, h.turn_epoch, h.heartbeat_at
  )
  UPDATE state.agent_turns t SET
    status = $5, turn_epoch = head.turn_epoch, lease_holder = $7, heartbeat_at = head.heartbeat_at,
    attempt = t.attempt + CASE WHEN $5 = 'dispatched' THEN 1 ELSE 0 END,
    leased_at = CASE WHEN $5 = 'dispatched' THEN now() ELSE t.leased_at END,
    started_at = CASE WHEN $5 = 'running' THEN coalesce(t.started_at, now()) ELSE t.started_at END,
    note = coalesce($8, t.note), rev = t.rev + 1
  FROM head
  WHERE t.project_id = head.project_id AND t.agent_turn_id = head.active_agent_turn_id
  RETURNING t.*`;

export type Advance = TurnKey & {
  from: Exclude<HeadStatus, "idle">[];
  /** To `dispatched` again = a takeover: it counts as another attempt. */
  to: Exclude<HeadStatus, "idle">;
  epoch_step: 0 | 1;
  lease_holder: string | null;
  note?: string;
  /** To `suspended`: how many calls it waits for, and until when at the latest (ISO; null = for ever). */
  waiting?: { count: number; deadline: string | null };
};

export async function advance(unit: Unit, input: Advance): Promise<TurnRow | Fenced> {
  const [row] = await unit.query<TurnRow>("turn_advance", ADVANCE, [
    input.project_id,
    input.agent_turn_id,
    input.turn_epoch,
    input.from,
    input.to,
    input.epoch_step,
    input.lease_holder,
    input.note ?? null,
    input.waiting?.count ?? 0,
    input.waiting?.deadline ?? null,
  ]);
  if (!row) return { fenced: true, current_epoch: null };
  unit.frame(input.project_id, turnFrame(row));
  return row;
}
