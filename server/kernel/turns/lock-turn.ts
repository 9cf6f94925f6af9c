// The first statement of everything that moves a turn: its head row FOR UPDATE, found only under the epoch and status the
// caller believes in (K2, K17). What comes too late is journaled, so that people see who still writes.
import type { TurnStatus } from "@/server/contract/turn";
import type { Unit } from "../unit";
import type { Fenced } from "./fenced";
import type { TurnRow } from "./turn-row";

export type TurnKey = { project_id: string; agent_turn_id: string; turn_epoch: number };

const LOCK = `
  SELECT t.* FROM state.agent_state_head h
  JOIN state.agent_turns t ON t.project_id = h.project_id AND t.agent_turn_id = h.active_agent_turn_id
  WHERE h.project_id = $1 AND h.active_agent_turn_id = $2 AND h.turn_epoch = $3 AND h.status = ANY ($4::text[])
    AND h.agent_id = (SELECT agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2)
  FOR UPDATE OF h, t`;

const CURRENT = "SELECT turn_epoch, agent_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2";

/** `what` names the refused write in the journal: "append", "deliver", ... */
export async function lockTurn(
  unit: Unit,
  input: TurnKey & { statuses: TurnStatus[]; what: string; worker_id?: string },
): Promise<TurnRow | Fenced> {
  const { project_id, agent_turn_id, turn_epoch } = input;
  const [row] = await unit.query<TurnRow>("turn_lock", LOCK, [project_id, agent_turn_id, turn_epoch, input.statuses]);
  if (row) return row;
  const [current] = await unit.query<{ turn_epoch: number }>("turn_epoch_now", CURRENT, [project_id, agent_turn_id]);
  if (!current) return { fenced: true, current_epoch: null };
  unit.frame(project_id, {
    kind: "rejected_late",
    id: unit.kernel.newId("edge_"),
    rev: 1,
    agent_turn_id,
    turn_epoch,
    current_epoch: current.turn_epoch,
    what: input.what,
    worker_id: input.worker_id,
  });
  return { fenced: true, current_epoch: current.turn_epoch };
}
