// What a turn tells the live view, said where its row is: turns are written sixteen and sixty-four at a time, and their rows used
// to travel to the process that moved them and back again as frames. Read, it is what turnFrame makes of a row (turn-row.ts).
import { columnsOf } from "../columns";
import { isoSql } from "../journal/told";
import { type NOT_SHOWN, TIMES, type TurnRow } from "./turn-row";

const COLUMNS = [
  "agent_turn_id",
  "agent_id",
  "profile_name",
  "worker_target",
  "is_human",
  "status",
  "turn_epoch",
  "attempt",
  "parent_turn_id",
  "root_turn_id",
  "primitive",
  "target_strategy",
  "depth",
  "trace_id",
  "batch_task_id",
  "batch_id",
  "task_index",
  "headcode",
  "title",
  "note",
  "profile_box_id",
  "context_box_id",
  "output_box_id",
  "output_start",
  "instruction_card_id",
  "deliverable_card_id",
  "step_count",
  "context_cards",
  "context_tokens",
  "context_consist",
  "output_cards",
  "output_tokens",
  "output_consist",
  "window_tokens",
  "sent_tokens",
  "fullest_tokens",
  "tokens_in",
  "tokens_out",
  "cost",
  "error_code",
  "error",
  "mark",
  "forked_from",
  "lease_holder",
  "heartbeat_at",
  "created_at",
  "leased_at",
  "started_at",
  "ended_at",
  "rev",
] as const satisfies readonly Shown[];
type Shown = Exclude<keyof TurnRow, (typeof NOT_SHOWN)[number]>;
/** A column that is shown here and not there does not compile. */
const all: Exclude<Shown, (typeof COLUMNS)[number]> extends never ? readonly Shown[] : never = COLUMNS;

const isTime = (column: string): boolean => (TIMES as readonly string[]).includes(column);

/** Columns of state.agent_turns that the live view is told, in the order of state.told_turn. */
export const TOLD_COLUMNS: readonly string[] = all;

/** What a turn tells at one of its moves; added up. */
export const TELLS = { turn: 1, edge: 2, task: 4, box: 8 } as const;

/** A row of state.told_turn; `t` names a row with TOLD_COLUMNS, `edge` is the id of its edge, `box` its output box as it now is: kind, owner, rev, length, tokens. */
export const toldTurnSql = (t: string, tells: string, edge = "NULL", box = "NULL, NULL, NULL, NULL, NULL"): string =>
  `ROW ((${tells})::smallint, ${edge}, ${box}, ${columnsOf(all, t)})::state.told_turn`;

/** Of a turn that the process tells of itself. An expression of type json; `t` names a row of state.agent_turns. Text until it is stored: jsonb takes twice as long to make. */
export const turnFrameSql = (t: string): string => `(SELECT json_strip_nulls(row_to_json(shown)) FROM (SELECT
    'turn' AS kind, ${t}.agent_turn_id AS id,
    ${all.map((column) => (isTime(column) ? `${isoSql(`${t}.${column}`)} AS ${column}` : `${t}.${column}`)).join(", ")}
  ) AS shown)`;
