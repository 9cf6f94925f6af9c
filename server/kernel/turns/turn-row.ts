// A row of state.agent_turns and the frame the live view sees of it. Everything a wagon shows is in the row, so that a
// thousand turns are drawn without a join.
import type { TaskFrame, ToldFrame, TurnFrame } from "@/server/contract/frame";
import type { EndStatus } from "@/server/contract/turn";

type Columns = Exclude<keyof TurnFrame, "kind" | "id">;
type Given = {
  [K in Columns]-?: undefined extends TurnFrame[K] ? Exclude<TurnFrame[K], undefined> | null : TurnFrame[K];
};

/** Columns as they are; nulls as nulls; times as ISO text. */
export type TurnRow = Given & {
  project_id: string;
  channel: string;
  parent_step_id: string | null;
  parent_tool_call_id: string | null;
  action_id: string | null;
  /** Digest of the request that the action was; null = none was kept. */
  action_sha256: string | null;
  /** How often a worker that stopped in order has handed it on. */
  handovers: number;
  /** Its profile names no model: the built-in worker does not take it. */
  needs_own_worker: boolean;
};

/** All of state.agent_turns. */
export const TURN_COLUMNS = [
  "project_id",
  "agent_turn_id",
  "agent_id",
  "root_turn_id",
  "parent_turn_id",
  "parent_step_id",
  "parent_tool_call_id",
  "primitive",
  "target_strategy",
  "channel",
  "trace_id",
  "profile_box_id",
  "profile_name",
  "worker_target",
  "context_box_id",
  "context_consist",
  "instruction_card_id",
  "batch_id",
  "batch_task_id",
  "action_id",
  "action_sha256",
  "headcode",
  "title",
  "depth",
  "task_index",
  "window_tokens",
  "context_cards",
  "context_tokens",
  "created_at",
  "mark",
  "forked_from",
  "output_box_id",
  "output_start",
  "attempt",
  "handovers",
  "leased_at",
  "ended_at",
  "deliverable_card_id",
  "error_code",
  "error",
  "cost",
  "step_count",
  "output_cards",
  "output_tokens",
  "tokens_in",
  "tokens_out",
  "output_consist",
  "note",
  "started_at",
  "turn_epoch",
  "heartbeat_at",
  "rev",
  "is_human",
  "needs_own_worker",
  "status",
  "lease_holder",
  "sent_tokens",
  "fullest_tokens",
] as const satisfies readonly (keyof TurnRow)[];

/** What whoever ends a turn must know of it. */
export const ENDING = [
  "project_id",
  "agent_turn_id",
  "turn_epoch",
  "agent_id",
  "root_turn_id",
  "status",
  "is_human",
  "channel",
  "trace_id",
  "batch_task_id",
  "output_box_id",
  "output_consist",
  "step_count",
  "note",
] as const satisfies readonly (keyof TurnRow)[];
export type EndingRow = Pick<TurnRow, (typeof ENDING)[number]>;

export const NOT_SHOWN = [
  "project_id",
  "channel",
  "parent_step_id",
  "parent_tool_call_id",
  "action_id",
  "action_sha256",
  "handovers",
  "needs_own_worker",
] as const;
export const TIMES = ["created_at", "leased_at", "started_at", "ended_at", "heartbeat_at"] as const;
const notShown = new Set<string>(NOT_SHOWN);
const times = new Set<string>(TIMES);

/** The built-in profile of people. */
export const HUMAN_PROFILE = "sys.human";
/** What their rows say for a worker. Whether somebody is a person is `is_human`, which the kernel alone writes. */
export const HUMAN_TARGET = "human";

export type ToldRow = Pick<
  TurnRow,
  "agent_turn_id" | "agent_id" | "rev" | "turn_epoch" | "status" | "output_box_id" | "trace_id"
>;

/** Of a turn whose frame the database makes (turn-frame-sql.ts). */
export const toldTurn = (row: ToldRow): ToldFrame => ({
  kind: "turn",
  id: row.agent_turn_id,
  rev: row.rev,
  agent_id: row.agent_id,
  agent_turn_id: row.agent_turn_id,
  turn_epoch: row.turn_epoch,
  status: row.status,
  output_box_id: row.output_box_id ?? undefined,
  trace_id: row.trace_id,
});

export function turnFrame(row: TurnRow): TurnFrame {
  const frame: Record<string, unknown> = { kind: "turn", id: row.agent_turn_id };
  // By name: a row made by to_jsonb has the columns of a newer version too.
  for (const key of TURN_COLUMNS) {
    const value = row[key];
    if (value === null || notShown.has(key)) continue;
    frame[key] = times.has(key) ? new Date(value as string).toISOString() : value;
  }
  return frame as unknown as TurnFrame;
}

type EndedRow = Pick<TurnRow, "agent_turn_id" | "rev" | "status" | "agent_id" | "root_turn_id" | "error_code"> & {
  output_box_id: string | null;
  deliverable_card_id: string | null;
};

/** Of a turn that has ended. */
export function taskFrame(row: EndedRow): TaskFrame {
  const { agent_turn_id, rev, agent_id, root_turn_id, output_box_id, deliverable_card_id, error_code } = row;
  if (output_box_id === null || deliverable_card_id === null)
    throw new Error(`turn ${agent_turn_id} ended without an output box or a deliverable`);
  return {
    kind: "task",
    id: agent_turn_id,
    rev,
    status: row.status as EndStatus,
    agent_id,
    root_turn_id,
    output_box_id,
    deliverable_card_id,
    error_code: error_code ?? undefined,
  };
}
