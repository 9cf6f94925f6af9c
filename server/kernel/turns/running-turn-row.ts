// The row of a turn that was inserted as running, put together from what was sent: to send all columns back for 64 turns was 3,700 values
// that this process knew. The statement answers what the database decided.
import type { EnqueuedTurn, NewTurn } from "./new-turn";
import type { TurnRow } from "./turn-row";

type Born = {
  project_id: string;
  turn: NewTurn;
  row: EnqueuedTurn & { created_at: string };
  lease_holder: string;
};

export function runningTurnRow({ project_id, turn, row, lease_holder }: Born): TurnRow {
  const { created_at, output_box_id } = row;
  return {
    project_id,
    agent_turn_id: turn.agent_turn_id,
    agent_id: turn.agent_id,
    root_turn_id: turn.root_turn_id,
    parent_turn_id: turn.parent_turn_id,
    parent_step_id: turn.parent_step_id ?? null,
    parent_tool_call_id: turn.parent_tool_call_id ?? null,
    primitive: turn.primitive,
    target_strategy: turn.target_strategy,
    channel: turn.channel,
    trace_id: turn.trace_id,
    profile_box_id: turn.profile_box_id,
    profile_name: turn.profile_name,
    worker_target: turn.worker_target,
    needs_own_worker: turn.needs_own_worker,
    context_box_id: turn.context_box_id,
    context_cards: turn.context_cards,
    context_tokens: turn.context_tokens,
    context_consist: turn.context_consist,
    window_tokens: turn.window_tokens,
    instruction_card_id: turn.instruction_card_id ?? null,
    batch_id: turn.batch_id ?? null,
    batch_task_id: turn.batch_task_id ?? null,
    task_index: turn.task_index ?? null,
    headcode: turn.headcode,
    title: turn.title,
    depth: turn.depth,
    output_box_id,
    output_start: 0,
    status: row.status,
    turn_epoch: row.turn_epoch,
    rev: row.rev,
    lease_holder,
    // One transaction, one now().
    created_at,
    leased_at: created_at,
    started_at: created_at,
    heartbeat_at: created_at,
    ...UNTOUCHED,
  };
}

/** What the table says of a turn that has done nothing. */
const UNTOUCHED = {
  action_id: null,
  action_sha256: null,
  mark: null,
  forked_from: null,
  is_human: false,
  attempt: 1,
  handovers: 0,
  ended_at: null,
  deliverable_card_id: null,
  error_code: null,
  error: null,
  cost: null,
  step_count: 0,
  output_cards: 0,
  output_tokens: 0,
  output_consist: "",
  tokens_in: 0,
  tokens_out: 0,
  note: null,
  sent_tokens: null,
  fullest_tokens: null,
} as const satisfies Partial<TurnRow>;
