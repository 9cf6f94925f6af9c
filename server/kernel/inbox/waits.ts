// What a turn waits for: one row for each call that answers later. A row goes waiting -> received (its result is there) ->
// applied (the turn has read it), or is dropped with its turn.

import { columnsOf } from "../columns";
import type { Unit } from "../unit";

export type Wait = {
  project_id: string;
  agent_id: string;
  agent_turn_id: string;
  turn_epoch: number;
  tool_call_id: string;
  step_id: string | null;
  tool_name: string;
  wait_status: "waiting" | "received" | "applied" | "expired" | "dropped";
  deadline_at: string | null;
  tool_result_card_id: string | null;
};

/** Of state.turn_waiting_tools. */
export const WAIT_COLUMNS = [
  "project_id",
  "agent_id",
  "agent_turn_id",
  "turn_epoch",
  "tool_call_id",
  "step_id",
  "tool_name",
  "wait_status",
  "deadline_at",
  "tool_result_card_id",
] as const satisfies readonly (keyof Wait)[];

export type NewWait = Pick<
  Wait,
  "project_id" | "agent_id" | "agent_turn_id" | "turn_epoch" | "tool_call_id" | "tool_name"
> & {
  step_id?: string;
  /** For a tool service: sent again with it if the first message was lost. */
  tool_call_card_id?: string;
  /** ISO; absent = whoever answers keeps the time. */
  deadline_at?: string;
  /** From now, by the database's clock; instead of deadline_at. */
  timeout_ms?: number;
};

/** Only people may answer these. */
export const ASK_HUMAN = "ask_human";
const APPROVAL = "-approval";

/** While a person is asked to approve a call, the turn waits for the approval, and then for the call's own result. */
export const approvalOf = (tool_call_id: string): string => `${tool_call_id}${APPROVAL}`;
/** The call that a wait belongs to. */
export const callOf = ({ tool_call_id }: Pick<Wait, "tool_call_id">): string =>
  tool_call_id.endsWith(APPROVAL) ? tool_call_id.slice(0, -APPROVAL.length) : tool_call_id;

/** SQL expressions for what is stored of a wait; `condition`: whether it is stored at all. */
type WaitSql = Record<
  "agent" | "turn" | "epoch" | "call" | "step" | "tool" | "deadline" | "edge" | "callCard" | "condition",
  string
>;

/**
 * Parts of a WITH: the turn waits for the call from now on, with the edge that says so. A call that is already waited for keeps its
 * deadline. $1 is the project.
 */
export const waitingSql = (of: WaitSql) => `wait AS (
    INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, step_id, tool_name,
      wait_status, deadline_at)
    SELECT $1, ${of.agent}, ${of.turn}, ${of.epoch}, ${of.call}, ${of.step}, ${of.tool}, 'waiting', ${of.deadline}
    WHERE ${of.condition} AND NOT EXISTS (SELECT 1 FROM state.turn_waiting_tools
      WHERE project_id = $1 AND agent_turn_id = ${of.turn} AND tool_call_id = ${of.call})
    RETURNING deadline_at
  ), wait_edge AS (
    INSERT INTO state.edge_extra (project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id, source_step_id,
      root_turn_id, correlation_id, recursion_depth, trace_id, metadata)
    SELECT $1, ${of.edge}, 'tool_call', 'request', t.agent_id, t.agent_turn_id, ${of.step}, t.root_turn_id, ${of.call}, t.depth, t.trace_id,
      jsonb_strip_nulls(jsonb_build_object('tool_name', ${of.tool}::text, 'tool_call_card_id', ${of.callCard}::text))
    FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ${of.turn} AND ${of.condition}
    ON CONFLICT (project_id, correlation_id, primitive, edge_phase)
      DO UPDATE SET metadata = edge_extra.metadata || excluded.metadata
  )`;

/** What is waited for: as it was inserted by `waitingSql`, or had been before. */
export const waitedSql = (of: Pick<WaitSql, "turn" | "call">) => `
  SELECT true AS is_new, deadline_at, 'waiting' AS wait_status FROM wait
  UNION ALL
  SELECT false, deadline_at, wait_status FROM state.turn_waiting_tools
    WHERE project_id = $1 AND agent_turn_id = ${of.turn} AND tool_call_id = ${of.call}`;

const VALUES: WaitSql = {
  agent: "$2",
  turn: "$3",
  epoch: "$4",
  call: "$5",
  step: "$6",
  tool: "$7",
  deadline: "coalesce($8::timestamptz, now() + $10 * interval '1 ms')",
  edge: "$9",
  callCard: "$11",
  condition: "true",
};
const INSERT = `WITH ${waitingSql(VALUES)} ${waitedSql(VALUES)}`;

type InsertedWait = Pick<Wait, "deadline_at" | "wait_status"> & { is_new: boolean };

/** Registering twice has no effect: the second time `is_new` is false. The caller holds the turn's head. */
export async function insertWait(unit: Unit, wait: NewWait): Promise<InsertedWait> {
  const [row] = await unit.query<InsertedWait>("wait_insert", INSERT, [
    wait.project_id,
    wait.agent_id,
    wait.agent_turn_id,
    wait.turn_epoch,
    wait.tool_call_id,
    wait.step_id ?? null,
    wait.tool_name,
    wait.deadline_at ?? null,
    unit.kernel.newId("edge_"),
    wait.timeout_ms ?? null,
    wait.tool_call_card_id ?? null,
  ]);
  if (!row) throw new Error(`call ${wait.tool_call_id} is waited for and was not found`);
  return row;
}

const OPEN = `
  SELECT ${columnsOf(WAIT_COLUMNS, "turn_waiting_tools")} FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2
    AND (wait_status IN ('waiting', 'received') OR tool_call_id = ANY ($3::text[]))
  ORDER BY created_at, tool_call_id FOR UPDATE`;

type OpenWaits = { project_id: string; agent_turn_id: string; tool_call_ids?: string[] };

/**
 * What the turn still waits for or has not read, and the named calls whatever their state, in the order of the calls. A turn
 * may have made hundreds that are over; those are skipped. The caller holds the turn's head.
 */
export async function lockWaits(unit: Unit, input: OpenWaits): Promise<Wait[]> {
  const named = (input.tool_call_ids ?? []).flatMap((id) => [id, approvalOf(id)]);
  return unit.query<Wait>("waits_of_turn", OPEN, [input.project_id, input.agent_turn_id, named]);
}

const ANY = `
  SELECT EXISTS (SELECT 1 FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2 AND wait_status <> 'dropped') AS has_waited`;

/** Whether it has ever made a call that answers later, even if all of them are over. */
export async function hasWaited(unit: Unit, input: OpenWaits): Promise<boolean> {
  const [row] = await unit.query<{ has_waited: boolean }>("waits_any", ANY, [input.project_id, input.agent_turn_id]);
  return row?.has_waited ?? false;
}

/**
 * Whether turn `turn` waits for another call than `call`, has not read another's result, or has made this one before. $1 is the project; the
 * caller holds the turn.
 */
export const hasOtherWaitsSql = (turn: string, call: string) => `EXISTS (SELECT 1 FROM state.turn_waiting_tools
    WHERE project_id = $1 AND agent_turn_id = ${turn} AND (wait_status IN ('waiting', 'received') OR tool_call_id = ${call}))`;

/**
 * Parts of a WITH: `cards`, the results of these calls of the turn, are in its output box now, so their waits and their rows are done. A call
 * whose result is missing, or is another card, makes the statement fail: its wait_status becomes null, and the column is NOT NULL. $1 is the project.
 */
export const appliedSql = (turn: string, calls: string, cards: string) => `applied_rows AS (
    UPDATE state.inbox_messages SET status = 'consumed', archived_at = now()
    WHERE project_id = $1 AND agent_turn_id = ${turn} AND message_type IN ('tool_result', 'timeout') AND correlation_id = ANY (${calls}::text[])
      AND status IN ('pending', 'processing', 'deferred')
  ), applied AS (
    UPDATE state.turn_waiting_tools SET updated_at = now(),
      wait_status = CASE WHEN tool_result_card_id = ANY (${cards}::text[]) THEN 'applied' END
    WHERE project_id = $1 AND agent_turn_id = ${turn} AND tool_call_id = ANY (${calls}::text[])
  )`;

const MOVE = `
  WITH rows AS (
    UPDATE state.inbox_messages SET turn_epoch = $3 WHERE project_id = $1 AND agent_turn_id = $2
      AND message_type IN ('tool_result', 'timeout') AND status IN ('pending', 'processing', 'deferred')
  )
  UPDATE state.turn_waiting_tools SET turn_epoch = $3, updated_at = now()
  WHERE project_id = $1 AND agent_turn_id = $2 AND wait_status IN ('waiting', 'received')`;

/** A turn that is taken over keeps waiting for its calls. */
export async function moveWaits(
  unit: Unit,
  input: { project_id: string; agent_turn_id: string; turn_epoch: number },
): Promise<void> {
  await unit.query("waits_move", MOVE, [input.project_id, input.agent_turn_id, input.turn_epoch]);
}
