// Leases the oldest queued turn of each idle agent among those given; set-wise. A `reuse` turn binds its output box here:
// the agent's last one, so that its memory rolls on (K5). A turn that a limit of its run holds waits, and lets others pass.

import { columnsOf } from "../columns";
import type { WakeupRing } from "../kernel";
import type { Unit } from "../unit";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

const LEASE = `
  WITH idle AS (
    SELECT agent_id, turn_epoch FROM state.agent_state_head
    WHERE project_id = $1 AND agent_id = ANY ($2::text[]) AND status = 'idle'
    ORDER BY agent_id FOR UPDATE
  ), next AS (
    SELECT DISTINCT ON (idle.agent_id) idle.agent_id, d.agent_turn_id, idle.turn_epoch + 1 AS epoch,
      t.context_box_id, t.profile_box_id, t.trace_id, t.parent_step_id,
      coalesce(t.output_box_id, CASE WHEN t.target_strategy = 'reuse' THEN p.last_output_box_id END) AS old_box,
      replace(gen_random_uuid()::text, '-', '') AS new_box
    FROM idle
    JOIN state.due d ON d.project_id = $1 AND d.queued_for = idle.agent_id AND NOT d.is_held
    JOIN state.agent_turns t ON t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id AND t.status = 'queued'
    LEFT JOIN state.agent_state_pointers p ON p.project_id = $1 AND p.agent_id = idle.agent_id
    ORDER BY idle.agent_id, d.created_at, d.agent_turn_id
  ), fresh AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id)
    SELECT $1, new_box, 'output', agent_id, agent_turn_id FROM next WHERE old_box IS NULL
  ), heads AS (
    UPDATE state.agent_state_head h SET status = 'dispatched', active_agent_turn_id = n.agent_turn_id, turn_epoch = n.epoch,
      profile_box_id = n.profile_box_id, context_box_id = n.context_box_id, output_box_id = coalesce(n.old_box, n.new_box),
      trace_id = n.trace_id, parent_step_id = n.parent_step_id, waiting_tool_count = 0, resume_deadline = NULL,
      lease_holder = NULL, leased_at = now(), heartbeat_at = NULL, rung_at = now(), updated_at = now()
    FROM next n WHERE h.project_id = $1 AND h.agent_id = n.agent_id
  ), due AS (
    UPDATE state.due d SET queued_for = NULL, turn_epoch = n.epoch, next_retry_at = now()
    FROM next n WHERE d.project_id = $1 AND d.agent_turn_id = n.agent_turn_id
  )
  UPDATE state.agent_turns t SET status = 'dispatched', turn_epoch = n.epoch, output_box_id = coalesce(n.old_box, n.new_box),
    output_start = coalesce((SELECT b.length FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = n.old_box), 0),
    leased_at = now(), rev = t.rev + 1
  FROM next n WHERE t.project_id = $1 AND t.agent_turn_id = n.agent_turn_id
  RETURNING ${columnsOf(TURN_COLUMNS, "t")}`;

/**
 * The heads must have been locked by an EARLIER statement of this unit: a row queued while this one waits for the lock
 * would not be in its snapshot.
 */
export async function leaseNext(unit: Unit, input: { project_id: string; agent_ids: string[] }): Promise<TurnRow[]> {
  if (input.agent_ids.length === 0) return [];
  const rows = await unit.query<TurnRow>("turn_lease_next", LEASE, [input.project_id, input.agent_ids]);
  for (const row of rows) {
    unit.frame(input.project_id, turnFrame(row));
    unit.ring(wakeupOf(row));
  }
  return rows;
}

type Woken = Pick<
  TurnRow,
  "project_id" | "worker_target" | "channel" | "agent_id" | "agent_turn_id" | "turn_epoch" | "trace_id"
>;

export function wakeupOf(row: Woken): WakeupRing {
  const { project_id, worker_target, channel, agent_id, agent_turn_id, turn_epoch, trace_id } = row;
  return { kind: "wakeup", project_id, worker_target, channel, agent_id, agent_turn_id, turn_epoch, trace_id };
}
