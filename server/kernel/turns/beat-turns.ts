// Heartbeats of all turns of a worker, in one statement. Turns that are not updated are fenced: the worker drops them.

import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import type { TurnKey } from "./lock-turn";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

const BEAT = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(project_id text, agent_turn_id text, turn_epoch bigint)
  ), heads AS (
    UPDATE state.agent_state_head h SET heartbeat_at = now()
    FROM given g
    WHERE h.project_id = g.project_id AND h.active_agent_turn_id = g.agent_turn_id AND h.turn_epoch = g.turn_epoch
      AND h.status = 'running' AND h.lease_holder = $2
    RETURNING h.project_id, h.active_agent_turn_id
  ), leases AS (
    UPDATE state.due d SET heartbeat_at = now()
    FROM heads WHERE d.project_id = heads.project_id AND d.agent_turn_id = heads.active_agent_turn_id
  )
  UPDATE state.agent_turns t SET heartbeat_at = now(), rev = t.rev + 1
  FROM heads WHERE t.project_id = heads.project_id AND t.agent_turn_id = heads.active_agent_turn_id
  RETURNING ${columnsOf(TURN_COLUMNS, "t")}`;

/** Returns the turns that this worker no longer holds. */
export async function beatTurns(kernel: Kernel, input: { worker_id: string; turns: TurnKey[] }): Promise<TurnKey[]> {
  if (input.turns.length === 0) return [];
  const beaten = await withUnit(
    kernel,
    async (unit) => {
      const rows = await unit.query<TurnRow>("turn_beat", BEAT, [JSON.stringify(input.turns), input.worker_id]);
      for (const row of rows) unit.frame(row.project_id, turnFrame(row));
      return rows.map(keyOf);
    },
    { statementMs: kernel.tunables.quickStatementMs },
  );
  const own = new Set(beaten);
  return input.turns.filter((turn) => !own.has(keyOf(turn)));
}

// With the epoch: a worker that was asleep may have lost a turn and claimed it again, and would run it twice.
const keyOf = ({ project_id, agent_turn_id, turn_epoch }: TurnKey): string =>
  `${project_id}/${agent_turn_id}/${turn_epoch}`;
