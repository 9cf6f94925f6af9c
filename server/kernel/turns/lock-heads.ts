// Locks agents by id (K17) before anything is queued for them, leased or freed, so that an end and an enqueue for the same agent wait
// for each other and no queued turn is left behind an idle one. Rows that refer to them are still written meanwhile.
import type { Unit } from "../unit";

const LOCK = `
  SELECT agent_id, active_turn FROM resource.project_agents
  WHERE project_id = $1 AND agent_id = ANY ($2::text[])
  ORDER BY agent_id FOR NO KEY UPDATE`;

export type LockedHead = { agent_id: string; active_turn: string | null };

export async function lockHeads(unit: Unit, input: { project_id: string; agent_ids: string[] }): Promise<LockedHead[]> {
  if (input.agent_ids.length === 0) return [];
  return unit.query<LockedHead>("head_lock", LOCK, [input.project_id, input.agent_ids]);
}
