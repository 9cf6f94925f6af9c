// A request, locked under its turn's head (K17): the turn may be about to be suspended or to end.

import { columnsOf } from "../columns";
import { type HumanRequestRow, REQUEST_COLUMNS } from "../inbox/human-request-row";
import type { Unit } from "../unit";

const HEAD = `
  SELECT 1 FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id =
    (SELECT agent_id FROM state.human_requests WHERE project_id = $1 AND request_id = $2) FOR UPDATE`;
// A separate statement, so that it sees decisions made while the head was waited for.
const REQUEST = `SELECT ${columnsOf(REQUEST_COLUMNS, "human_requests")} FROM state.human_requests
  WHERE project_id = $1 AND request_id = $2 FOR UPDATE`;

/** Null for an unknown request. */
export async function lockRequest(
  unit: Unit,
  { project_id, request_id }: { project_id: string; request_id: string },
): Promise<HumanRequestRow | null> {
  await unit.query("human_request_head", HEAD, [project_id, request_id]);
  const [row] = await unit.query<HumanRequestRow>("human_request_lock", REQUEST, [project_id, request_id]);
  return row ?? null;
}
