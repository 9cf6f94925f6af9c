// A batch in the middle of things, for tests: three delivered, one runs, one failed.
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnStatus } from "@/server/contract/turn";

export const FORKED_AT = Date.parse("2026-11-22T10:00:00.000Z");
export const at = (seconds: number): string => new Date(FORKED_AT + seconds * 1000).toISOString();

export function turnAt(task_index: number, status: TurnStatus, more: Partial<TurnFrame> = {}): TurnFrame {
  return {
    kind: "turn",
    id: `turn_${task_index}`,
    agent_turn_id: `turn_${task_index}`,
    rev: 3,
    batch_id: "batch_1",
    task_index,
    headcode: `2S0${task_index + 1}`,
    status,
    title: `search ${task_index}`,
    worker_target: "worker_generic",
    turn_epoch: 1,
    attempt: 1,
    step_count: 0,
    context_tokens: 1000,
    output_tokens: 100 * task_index,
    created_at: at(0),
    ...more,
  } as TurnFrame;
}

export function branchAt(task_index: number, turn?: TurnFrame, more: Partial<Branch> = {}): Branch {
  return {
    batch_task_id: `bt_${task_index}`,
    batch_id: "batch_1",
    task_index,
    label: `task_${task_index + 1}`,
    title: `search ${task_index}`,
    profile_name: "Search",
    target_strategy: "new",
    agent_id: `search_${task_index}`,
    status: turn === undefined ? "pending" : "dispatched",
    attempt_count: turn === undefined ? 0 : 1,
    metadata: {},
    steps: [],
    ...(turn && { turn, agent_turn_id: turn.agent_turn_id }),
    ...more,
  };
}

export function sheetOf(tasks: Branch[], more: Partial<BatchSheet> = {}): BatchSheet {
  return {
    batch_id: "batch_1",
    tool_name: "fork_join",
    root_turn_id: "turn_root",
    parent_agent_id: "planner",
    parent_agent_turn_id: "turn_parent",
    parent_tool_call_id: "tc_1",
    task_count: tasks.length,
    fail_fast: false,
    status: "running",
    rev: 1,
    created_at: at(0),
    number: 1,
    tasks,
    attempts_max: 5,
    cursor: "1.0.00000000",
    ...more,
  };
}
