// Takes hold of turns whatever they are doing, in the one order of all units (K17): live turns by id, then their agents by id, then
// those that are queued, which nobody leases while their agent is held. From then on none of them begins, moves or ends.
import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import { lockHeads } from "./lock-heads";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

type Turns = { project_id: string; agent_turn_ids: string[] };

const LIVE = `
  SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[])
    AND status IN ('dispatched', 'running', 'suspended')
  ORDER BY agent_turn_id FOR UPDATE`;
// A statement of its own: what ended while the live ones were waited for needs no agent.
const AGENTS = `
  SELECT DISTINCT agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[]) AND ended_at IS NULL AND NOT is_human`;
const ALL = `
  SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[]) AND ended_at IS NULL
  ORDER BY agent_turn_id FOR UPDATE`;

/** Those that have not ended, with their agents. */
export async function holdTurns(unit: Unit, { project_id, agent_turn_ids }: Turns): Promise<TurnRow[]> {
  if (agent_turn_ids.length === 0) return [];
  await unit.query("turns_hold_live", LIVE, [project_id, agent_turn_ids]);
  const agents = await unit.query<{ agent_id: string }>("turns_hold_agents", AGENTS, [project_id, agent_turn_ids]);
  await lockHeads(unit, { project_id, agent_ids: agents.map(({ agent_id }) => agent_id) });
  return unit.query<TurnRow>("turns_hold", ALL, [project_id, agent_turn_ids]);
}

const ONE = "SELECT 1 FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 FOR UPDATE";

/** A turn that goes to sleep, wakes or ends meanwhile waits; for whoever answers one of its calls. */
export async function holdTurn(unit: Unit, input: { project_id: string; agent_turn_id: string }): Promise<void> {
  await unit.query("turn_hold", ONE, [input.project_id, input.agent_turn_id]);
}
