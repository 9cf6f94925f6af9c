// A heartbeat for one turn, by a worker that is told of it when the turn is no longer its own. The worker is seen too, since
// one that works does not claim. The turn's own row follows as in beat-turns.ts, and at once where the worker notes something else.

import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { shownMs } from "./beat-turns";
import type { Fenced } from "./fenced";
import { isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { noteOf } from "./note";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

export type BeatInput = TurnKey & { worker_id: string; note?: string };

const BEAT = `
  WITH lease AS (
    UPDATE state.due SET heartbeat_at = now() WHERE project_id = $1 AND agent_turn_id = $2
  ), worker AS (
    UPDATE state.workers SET seen_at = now() WHERE project_id = $1 AND worker_id = $3
  )
  UPDATE state.agent_turns SET heartbeat_at = now(), note = coalesce($4, note), rev = rev + 1
  WHERE project_id = $1 AND agent_turn_id = $2
    AND ($4 <> note OR note IS NULL AND $4 IS NOT NULL OR heartbeat_at < now() - $5::float8 * interval '1 ms')
  RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}`;

const STOP = `
  SELECT EXISTS (
    SELECT 1 FROM state.inbox_messages WHERE project_id = $1 AND agent_turn_id = $2 AND message_type = 'stop'
      AND status IN ('pending', 'processing', 'deferred')
  ) AS stop_requested`;

/** Fenced also when another worker holds the lease. A stop that has been carried out has ended the turn: that is fenced too. */
export async function beatTurn(kernel: Kernel, input: BeatInput): Promise<{ stop_requested: boolean } | Fenced> {
  return withUnit(
    kernel,
    async (unit) => {
      const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "heartbeat" });
      if (isFenced(row)) return row;
      if (row.lease_holder !== input.worker_id) return { fenced: true, current_epoch: row.turn_epoch };
      return beat(unit, input);
    },
    { statementMs: kernel.tunables.quickStatementMs },
  );
}

async function beat(unit: Unit, input: BeatInput): Promise<{ stop_requested: boolean }> {
  const { project_id, agent_turn_id } = input;
  const [shown] = await unit.query<TurnRow>("turn_beat_one", BEAT, [
    project_id,
    agent_turn_id,
    input.worker_id,
    input.note === undefined ? null : noteOf(input.note),
    shownMs(unit.kernel),
  ]);
  if (shown) unit.frame(project_id, turnFrame(shown));
  const [asked] = await unit.query<{ stop_requested: boolean }>("turn_stop_asked", STOP, [project_id, agent_turn_id]);
  return { stop_requested: asked?.stop_requested ?? false };
}
