// Leases the oldest queued turn of each idle agent among those given; set-wise. A `reuse` turn binds its output box here:
// the agent's last one, so that its memory rolls on. Only one of its own: a box has one agent, and an agent one turn, so two live turns
// never share one (K5), whatever an import said. A turn that a limit of its run holds waits, and lets others pass: its row is locked where it
// is chosen, and one that was held meanwhile is passed by.

import { columnsOf } from "../columns";
import type { WakeupRing } from "../kernel";
import type { Unit } from "../unit";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

const LEASE = `
  WITH idle AS (
    SELECT agent_id, turn_epoch, last_output_box_id FROM resource.project_agents
    WHERE project_id = $1 AND agent_id = ANY ($2::text[]) AND active_turn IS NULL
    ORDER BY agent_id FOR NO KEY UPDATE
  ), next AS (
    SELECT idle.agent_id, q.agent_turn_id, idle.turn_epoch + 1 AS epoch,
      coalesce(q.output_box_id, CASE WHEN q.target_strategy = 'reuse' THEN own.box_id END) AS old_box,
      replace(gen_random_uuid()::text, '-', '') AS new_box
    FROM idle
    CROSS JOIN LATERAL (SELECT d.agent_turn_id, t.output_box_id, t.target_strategy FROM state.due d
      CROSS JOIN LATERAL (SELECT t.output_box_id, t.target_strategy FROM state.agent_turns t
        WHERE t.project_id = $1 AND t.agent_turn_id = d.agent_turn_id AND t.status = 'queued' OFFSET 0) t
      WHERE d.project_id = $1 AND d.queued_for = idle.agent_id AND NOT d.is_held
      ORDER BY d.created_at, d.agent_turn_id LIMIT 1 FOR UPDATE OF d) q
    LEFT JOIN LATERAL (SELECT b.box_id FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = idle.last_output_box_id AND b.owner_agent_id = idle.agent_id OFFSET 0) own ON true
  ), fresh AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id)
    SELECT $1, new_box, 'output', agent_id, agent_turn_id FROM next WHERE old_box IS NULL
  ), taken AS (
    UPDATE resource.project_agents a SET active_turn = n.agent_turn_id, turn_epoch = n.epoch
    FROM next n WHERE a.project_id = $1 AND a.agent_id = n.agent_id
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
 * The agents must have been locked by an EARLIER statement of this unit: a row queued while this one waits for the lock
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
