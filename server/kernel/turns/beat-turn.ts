// A heartbeat for one turn, by a worker that is told of it when the turn is no longer its own. The worker is seen too, since
// one that works does not claim.

import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import type { Fenced } from "./fenced";
import { isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { noteOf } from "./note";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "./turn-row";

export type BeatInput = TurnKey & { worker_id: string; note?: string };

const BEAT = `
  WITH head AS (
    UPDATE state.agent_state_head SET heartbeat_at = now() WHERE project_id = $1 AND agent_id = $2
  ), lease AS (
    UPDATE state.due SET heartbeat_at = now() WHERE project_id = $1 AND agent_turn_id = $3
  ), worker AS (
    UPDATE state.workers SET seen_at = now() WHERE project_id = $1 AND worker_id = $4
  )
  UPDATE state.agent_turns SET heartbeat_at = now(), note = coalesce($5, note), rev = rev + 1
  WHERE project_id = $1 AND agent_turn_id = $3
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
      return beat(unit, row, input);
    },
    { statementMs: kernel.tunables.quickStatementMs },
  );
}

async function beat(unit: Unit, row: TurnRow, input: BeatInput): Promise<{ stop_requested: boolean }> {
  const { project_id, agent_turn_id } = input;
  const [beaten] = await unit.query<TurnRow>("turn_beat_one", BEAT, [
    project_id,
    row.agent_id,
    agent_turn_id,
    input.worker_id,
    input.note === undefined ? null : noteOf(input.note),
  ]);
  if (!beaten) throw new Error(`turn ${agent_turn_id} was locked and is gone`);
  unit.frame(project_id, turnFrame(beaten));
  const [asked] = await unit.query<{ stop_requested: boolean }>("turn_stop_asked", STOP, [project_id, agent_turn_id]);
  return { stop_requested: asked?.stop_requested ?? false };
}
