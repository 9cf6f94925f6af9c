// Pages of turns.
import { AT } from "../cardbox/page-cursor";
import { TURN_REF, type TurnRefRow } from "../read-models/turn-ref";
import { read, UNPREPARED } from "../reader";
import type { Hit, Pieces, Source } from "./source";
import { turnByTurnSql, turnSql } from "./turn-sql";

export const TURN_COLUMNS = `t.project_id, ${TURN_REF}, t.context_box_id, t.worker_target, t.primitive, t.target_strategy, t.batch_id, t.note, t.error_code,
  t.error, t.tokens_in, t.tokens_out, t.context_cards, t.output_cards, t.cost, t.depth, t.step_count, t.attempt, t.started_at, t.ended_at,
  t.forked_from, t.output_box_id, t.output_start`;

const ROWS = (p: Pieces) => `
  SELECT ${TURN_REF}, t.agent_turn_id AS id, ${AT("t.created_at")}, t.error_code, t.batch_id, t.step_count, t.cost, t.note,
    (t.tokens_in + t.tokens_out)::bigint AS token_count, t.started_at, t.ended_at,
    (SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = t.root_turn_id) AS run_number
  FROM (
    SELECT ${TURN_COLUMNS} FROM (
      SELECT ${TURN_COLUMNS} FROM state.agent_turns t WHERE t.project_id = $1 AND ${p.within}
      ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${p.window}
    ) t WHERE ${p.where}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${p.limit}
  ) t ORDER BY t.created_at DESC, t.agent_turn_id DESC`;

const END = (p: Pieces) => `
  SELECT t.agent_turn_id AS id, ${AT("t.created_at")} FROM (SELECT t.agent_turn_id, t.created_at FROM state.agent_turns t WHERE t.project_id = $1 AND ${p.within}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC OFFSET ${p.window} - 1 LIMIT 2) t ORDER BY t.created_at DESC, t.agent_turn_id DESC`;

export type TurnHitRow = TurnRefRow &
  Hit & {
    error_code: string | null;
    batch_id: string | null;
    step_count: number;
    cost: number | null;
    note: string | null;
    token_count: number;
    started_at: string | null;
    ended_at: string | null;
    run_number: number | null;
  };

export const turnSource: Source<TurnHitRow> = {
  kind: "turn",
  sql: turnSql,
  oneByOne: turnByTurnSql,
  id: "t.agent_turn_id",
  time: "t.created_at",
  rows: (reader, pieces, values) => read<TurnHitRow>(reader, UNPREPARED, ROWS(pieces), values),
  end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, END(pieces), values),
};
