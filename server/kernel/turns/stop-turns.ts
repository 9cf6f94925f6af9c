// Ends turns from outside, whatever they are doing: they are held with their agents (K17), what has ended meanwhile is left alone,
// and every epoch goes up, so that a worker that still runs one of them is fenced.
import type { TurnCode } from "@/server/contract/failure-codes";
import type { EndStatus } from "@/server/contract/turn";
import type { Unit } from "../unit";
import { endTurns, type TurnEnded } from "./end-turns";
import { holdTurns } from "./hold-turns";
import { ringLease } from "./ring-lease";

export type StopTurns = {
  project_id: string;
  agent_turn_ids: string[];
  status: EndStatus;
  error_code: TurnCode;
  error: string;
  note: string;
};

/** Answers those that it ended. */
export async function stopTurns(unit: Unit, input: StopTurns): Promise<TurnEnded[]> {
  const { project_id, agent_turn_ids, status, error_code, error, note } = input;
  if (agent_turn_ids.length === 0) return [];
  const rows = await holdTurns(unit, { project_id, agent_turn_ids });
  await unit.probe("stop-locked");
  for (const row of rows) ringLease(unit, row);
  return endTurns(unit, {
    project_id,
    areHeld: true,
    ends: rows.map((row) => ({ row, status, content: null, error_code, error, note, epoch_step: 1 as const })),
  });
}
