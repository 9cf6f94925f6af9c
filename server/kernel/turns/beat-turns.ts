// Heartbeats of all turns of a worker, in one statement that writes one narrow row for each. Turns whose lease is not found are fenced:
// the worker drops them. Their own rows, and what the live view is told, follow every second beat: a beat counts as late there
// after two and a half.

import { columnsOf } from "../columns";
import { toldTurnsSql } from "../journal/told";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import type { TurnKey } from "./lock-turn";
import { TELLS, TOLD_COLUMNS, toldTurnSql } from "./turn-frame-sql";
import { type ToldRow, toldTurn } from "./turn-row";

// Whoever moves a turn has locked its row, and maybe its lease: both are skipped, so that nobody waits for anybody. Such a turn is still
// this worker's, or the next beat says that it is not.
const BEAT = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(project_id text, agent_turn_id text, turn_epoch bigint)
  ), held AS (
    SELECT d.project_id, d.agent_turn_id, d.turn_epoch FROM given g
    CROSS JOIN LATERAL (SELECT project_id, agent_turn_id, turn_epoch FROM state.due WHERE project_id = g.project_id
      AND agent_turn_id = g.agent_turn_id AND turn_epoch = g.turn_epoch AND claimed_by = $2 AND heartbeat_at IS NOT NULL OFFSET 0) d
  ), free AS (
    SELECT d.project_id, d.agent_turn_id FROM held h
    CROSS JOIN LATERAL (SELECT project_id, agent_turn_id FROM state.due WHERE project_id = h.project_id AND agent_turn_id = h.agent_turn_id
      AND turn_epoch = h.turn_epoch AND claimed_by = $2 FOR UPDATE SKIP LOCKED) d
  ), beaten AS (
    UPDATE state.due d SET heartbeat_at = now() FROM free f WHERE d.project_id = f.project_id AND d.agent_turn_id = f.agent_turn_id
  ), stale AS (
    SELECT t.project_id, t.agent_turn_id FROM held h
    CROSS JOIN LATERAL (SELECT project_id, agent_turn_id FROM state.agent_turns WHERE project_id = h.project_id
      AND agent_turn_id = h.agent_turn_id AND turn_epoch = h.turn_epoch AND status = 'running' AND lease_holder = $2
      AND heartbeat_at < now() - $3::float8 * interval '1 ms' FOR UPDATE SKIP LOCKED) t
  ), shown AS (
    UPDATE state.agent_turns t SET heartbeat_at = now(), rev = t.rev + 1
    FROM stale s WHERE t.project_id = s.project_id AND t.agent_turn_id = s.agent_turn_id
    RETURNING t.project_id, ${columnsOf(TOLD_COLUMNS, "t")}
  ), ${toldTurnsSql(`SELECT project_id, ${toldTurnSql("shown", `${TELLS.turn}`)} AS told FROM shown`)}
  SELECT h.project_id, h.agent_turn_id, h.turn_epoch, s.agent_id, s.rev, s.status, s.output_box_id, s.trace_id
  FROM held h LEFT JOIN shown s ON s.project_id = h.project_id AND s.agent_turn_id = h.agent_turn_id`;

type Held = TurnKey & { [K in Exclude<keyof ToldRow, keyof TurnKey>]: ToldRow[K] | null };

/** Returns the turns that this worker no longer holds. */
export async function beatTurns(kernel: Kernel, input: { worker_id: string; turns: TurnKey[] }): Promise<TurnKey[]> {
  if (input.turns.length === 0) return [];
  const values = [JSON.stringify(input.turns), input.worker_id, shownMs(kernel)];
  const held = await withUnit(
    kernel,
    async (unit) => {
      const rows = await unit.query<Held>("turn_beat", BEAT, values);
      for (const row of rows) if (isShown(row)) unit.told(row.project_id, [toldTurn(row)]);
      return rows.map(keyOf);
    },
    { statementMs: kernel.tunables.quickStatementMs },
  );
  const own = new Set(held);
  return input.turns.filter((turn) => !own.has(keyOf(turn)));
}

/** How old the heartbeat that is shown becomes before another one is. */
export const shownMs = ({ tunables }: Kernel): number => tunables.beatMs * 1.5;

const isShown = (row: Held): row is TurnKey & ToldRow => row.rev !== null;

// With the epoch: a worker that was asleep may have lost a turn and claimed it again, and would run it twice.
const keyOf = ({ project_id, agent_turn_id, turn_epoch }: TurnKey): string =>
  `${project_id}/${agent_turn_id}/${turn_epoch}`;
