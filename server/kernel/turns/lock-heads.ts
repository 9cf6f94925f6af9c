// Locks heads FOR UPDATE by agent id (K17), before anything is queued, so that an end and an enqueue for the same agent wait
// for each other and no queued turn is left behind an idle head.
import type { HeadStatus } from "@/server/contract/agent";
import type { Unit } from "../unit";

export type LockedHead = { agent_id: string; status: HeadStatus; turn_epoch: number };

const LOCK = `
  SELECT agent_id, status, turn_epoch FROM state.agent_state_head
  WHERE project_id = $1 AND agent_id = ANY ($2::text[])
  ORDER BY agent_id FOR UPDATE`;

export async function lockHeads(unit: Unit, input: { project_id: string; agent_ids: string[] }): Promise<LockedHead[]> {
  if (input.agent_ids.length === 0) return [];
  return unit.query<LockedHead>("head_lock", LOCK, [input.project_id, input.agent_ids]);
}
