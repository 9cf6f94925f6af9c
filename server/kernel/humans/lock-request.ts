// A request, locked under its turn (K17): the turn may be about to be suspended or to end.

import { columnsOf } from "../columns";
import { type HumanRequestRow, REQUEST_COLUMNS } from "../inbox/human-request-row";
import type { Unit } from "../unit";

const TURN = `
  SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id =
    (SELECT agent_turn_id FROM state.human_requests WHERE project_id = $1 AND request_id = $2) FOR UPDATE`;
// A separate statement, so that it sees decisions made while the turn was waited for.
const REQUEST = `SELECT ${columnsOf(REQUEST_COLUMNS, "human_requests")} FROM state.human_requests
  WHERE project_id = $1 AND request_id = $2 FOR UPDATE`;

/** Null for an unknown request. */
export async function lockRequest(
  unit: Unit,
  { project_id, request_id }: { project_id: string; request_id: string },
): Promise<HumanRequestRow | null> {
  await unit.query("human_request_turn", TURN, [project_id, request_id]);
  const [row] = await unit.query<HumanRequestRow>("human_request_lock", REQUEST, [project_id, request_id]);
  return row ?? null;
}
