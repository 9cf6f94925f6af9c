// Rescue: rebuilds a lost head (a restored backup, a row deleted by hand) from what is left of the agent: its turns, its
// inbox rows, and the journal.

import type { HeadStatus } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";

export type RebuiltHead = {
  agent_id: string;
  status: HeadStatus;
  turn_epoch: number;
  active_agent_turn_id: string | null;
};

// The epoch is the highest on record, so that no worker of an older one is accepted again.
const REBUILD = `
  WITH live AS (
    SELECT agent_turn_id, status, profile_box_id, context_box_id, output_box_id, parent_step_id, trace_id, lease_holder, leased_at, heartbeat_at
    FROM state.agent_turns WHERE project_id = $1 AND agent_id = $2 AND status IN ('dispatched', 'running', 'suspended')
      AND primitive <> 'ui_action'
    ORDER BY turn_epoch DESC LIMIT 1
  ), seen AS (
    SELECT greatest(
      (SELECT max(turn_epoch) FROM state.agent_turns WHERE project_id = $1 AND agent_id = $2),
      (SELECT max(turn_epoch) FROM state.inbox_messages WHERE project_id = $1 AND agent_id = $2),
      (SELECT max(t.turn_epoch) FROM state.journal_packs p CROSS JOIN LATERAL unnest(p.turns) AS t
        WHERE p.project_id = $1 AND t.agent_id = $2),
      (SELECT max((e.frame ->> 'turn_epoch')::bigint) FROM state.journal_packs p CROSS JOIN LATERAL jsonb_array_elements(p.frames) AS e(frame)
        WHERE p.project_id = $1 AND p.frames IS NOT NULL AND e.frame ->> 'kind' = 'turn' AND e.frame ->> 'agent_id' = $2), 0) AS turn_epoch
  ), waits AS (
    SELECT count(*)::int AS n, CASE WHEN bool_or(deadline_at IS NULL) THEN NULL ELSE max(deadline_at) END AS deadline
    FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = (SELECT agent_turn_id FROM live)
      AND wait_status IN ('waiting', 'received')
  )
  INSERT INTO state.agent_state_head (project_id, agent_id, status, active_agent_turn_id, turn_epoch, profile_box_id, context_box_id,
    output_box_id, parent_step_id, trace_id, waiting_tool_count, resume_deadline, lease_holder, leased_at, heartbeat_at)
  SELECT a.project_id, a.agent_id, coalesce(l.status, 'idle'), l.agent_turn_id, seen.turn_epoch,
    coalesce(l.profile_box_id, a.profile_box_id), l.context_box_id, l.output_box_id, l.parent_step_id, l.trace_id,
    CASE WHEN l.status = 'suspended' THEN waits.n ELSE 0 END, CASE WHEN l.status = 'suspended' THEN waits.deadline END,
    l.lease_holder, l.leased_at, CASE WHEN l.status = 'running' THEN coalesce(l.heartbeat_at, now()) END
  FROM resource.project_agents a CROSS JOIN seen CROSS JOIN waits LEFT JOIN live l ON true
  WHERE a.project_id = $1 AND a.agent_id = $2
  ON CONFLICT (project_id, agent_id) DO NOTHING
  RETURNING agent_id, status, turn_epoch, active_agent_turn_id`;

/** not_found for an unknown agent; conflict if the head exists. If nothing runs, the next queued turn is leased. */
export async function rebuildHead(
  kernel: Kernel,
  input: { project_id: string; agent_id: string },
): Promise<RebuiltHead> {
  const { project_id, agent_id } = input;
  return withUnit(kernel, async (unit) => {
    const [head] = await unit.query<RebuiltHead>("head_rebuild", REBUILD, [project_id, agent_id]);
    if (!head) {
      const [there] = await lockHeads(unit, { project_id, agent_ids: [agent_id] });
      if (there) throw new KernelError("conflict", `agent ${agent_id} still has its head; nothing to rebuild`);
      throw new KernelError("not_found", `agent ${agent_id} not found`);
    }
    if (head.status !== "idle") return head;
    const [next] = await leaseNext(unit, { project_id, agent_ids: [agent_id] });
    return next
      ? { ...head, status: "dispatched", turn_epoch: next.turn_epoch, active_agent_turn_id: next.agent_turn_id }
      : head;
  });
}
