// Ends turns from outside, whatever they are doing: the heads are locked by agent id (K17), what has ended meanwhile is
// left alone, and every epoch goes up, so that a worker that still runs one of them is fenced.
import type { TurnCode } from "@/server/contract/failure-codes";
import type { EndStatus } from "@/server/contract/turn";
import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import { endTurns, type TurnEnded } from "./end-turns";
import { ringLease } from "./ring-lease";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

export type StopTurns = {
  project_id: string;
  agent_turn_ids: string[];
  status: EndStatus;
  error_code: TurnCode;
  error: string;
  note: string;
};

const HEADS = `
  SELECT h.agent_id FROM state.agent_state_head h
  WHERE h.project_id = $1 AND h.agent_id IN (SELECT agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[]))
  ORDER BY h.agent_id FOR UPDATE`;

// A statement of its own: what ended while the heads were waited for is seen as ended.
const LIVE = `
  SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[]) AND ended_at IS NULL
  ORDER BY agent_turn_id FOR UPDATE`;

/** Answers those that it ended. */
export async function stopTurns(unit: Unit, input: StopTurns): Promise<TurnEnded[]> {
  const { project_id, agent_turn_ids, status, error_code, error, note } = input;
  if (agent_turn_ids.length === 0) return [];
  await unit.query("stop_heads", HEADS, [project_id, agent_turn_ids]);
  await unit.probe("stop-locked");
  const rows = await unit.query<TurnRow>("stop_live", LIVE, [project_id, agent_turn_ids]);
  for (const row of rows) ringLease(unit, row);
  return endTurns(unit, {
    project_id,
    ends: rows.map((row) => ({ row, status, content: null, error_code, error, note, epoch_step: 1 as const })),
  });
}
