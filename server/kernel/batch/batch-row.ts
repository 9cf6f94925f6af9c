// Rows of batches and their branches, and the frames the live view sees of them.
import type { Batch, BatchTask, ClosedBy, EarlierAttempt, TaskStatus } from "@/server/contract/batch";
import type { BatchFrame, BatchTaskFrame } from "@/server/contract/frame";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { neededOf } from "@/server/contract/join-rules";
import type { TargetStrategy } from "@/server/contract/turn";
import { isoSql, toldFramesSql } from "../journal/told";

export type BatchKey = { project_id: string; batch_id: string };

export type BatchRow = {
  project_id: string;
  batch_id: string;
  tool_name: Batch["tool_name"];
  /** Set together: the node of a plan run that it is, and which try. */
  plan_run_id: string | null;
  plan_node_id: string | null;
  plan_try: number | null;
  parent_agent_id: string;
  parent_agent_turn_id: string;
  parent_tool_call_id: string;
  parent_turn_epoch: number;
  root_turn_id: string;
  task_count: number;
  max_parallel: number | null;
  fail_fast: boolean;
  deadline_at: string | null;
  /** null = it waits for all, and the four below stay empty. */
  policy: JoinPolicy | null;
  /** When the policy's own time is over; null = never. */
  gate_at: string | null;
  /** Indexes of tasks without attempts left, in the order of their arrival. */
  arrivals: number[];
  /** Indexes of tasks that went on when the gate had closed, or ended beside the one that closed it. */
  late: number[];
  closed_by: ClosedBy | null;
  status: Batch["status"];
  metadata: Record<string, unknown>;
  rev: number;
  created_at: string;
  ended_at: string | null;
};

/** All of state.pmo_batches but `turns`, which its branches are read by: thousands of characters that nobody shows. */
export const BATCH_COLUMNS = [
  "project_id",
  "batch_id",
  "parent_agent_id",
  "parent_agent_turn_id",
  "parent_tool_call_id",
  "parent_turn_epoch",
  "root_turn_id",
  "task_count",
  "max_parallel",
  "fail_fast",
  "deadline_at",
  "status",
  "metadata",
  "rev",
  "created_at",
  "ended_at",
  "tool_name",
  "plan_run_id",
  "plan_node_id",
  "plan_try",
  "policy",
  "gate_at",
  "arrivals",
  "late",
  "closed_by",
] as const satisfies readonly (keyof BatchRow)[];

/** What a branch keeps of its hand-over; `turn` is what its turn will be created from, until it has one. */
export type TaskMetadata = {
  title: string;
  profile_name: string;
  target_strategy: TargetStrategy;
  child_trace_id: string;
  parent_trace_id: string;
  parent_traceparent: string;
  dispatch_channel_id: string;
  turn?: Record<string, unknown>;
  /** Of a plan: the code that the launch kept for it. */
  headcode?: string;
  /** It takes the recorded result of this branch, and never runs here. */
  replays?: { batch_task_id: string; agent_turn_id: string | null };
  /** Attempts that were repeated, oldest first. One without a turn was never dispatched. */
  earlier?: EarlierAttempt[];
  /** Dispatches before the latest retry: earlier failures don't use up this attempt's tries. */
  tries_before?: number;
};

/** Of the metadata, what a branch with a turn has from it: the view builds them anew. */
export const OF_TURN = [
  "turn",
  "headcode",
  "title",
  "profile_name",
  "target_strategy",
  "child_trace_id",
  "parent_trace_id",
  "parent_traceparent",
  "dispatch_channel_id",
] as const satisfies readonly (keyof TaskMetadata)[];

export type BatchTaskRow = {
  project_id: string;
  batch_task_id: string;
  batch_id: string;
  task_index: number;
  agent_id: string;
  agent_turn_id: string | null;
  status: TaskStatus;
  attempt_count: number;
  /** Attempts that the batch makes by itself, the first included. */
  attempts_max: number;
  next_retry_at: string | null;
  context_box_id: string | null;
  output_box_id: string | null;
  result_view: BatchTask["result"] | null;
  error_detail: string | null;
  metadata: TaskMetadata;
  rev: number;
  created_at: string;
  updated_at: string;
};

/** All of state.pmo_batch_tasks, which is a view: a branch is its newest turn. state.branch_extra, which has what no turn says, has the same. */
export const TASK_COLUMNS = [
  "project_id",
  "batch_task_id",
  "batch_id",
  "agent_id",
  "context_box_id",
  "task_index",
  "created_at",
  "metadata",
  "agent_turn_id",
  "attempt_count",
  "next_retry_at",
  "output_box_id",
  "error_detail",
  "result_view",
  "updated_at",
  "rev",
  "status",
  "attempts_max",
] as const satisfies readonly (keyof BatchTaskRow)[];

export const batchOf = (row: BatchRow): Batch => ({
  batch_id: row.batch_id,
  tool_name: row.tool_name,
  root_turn_id: row.root_turn_id,
  parent_agent_id: row.parent_agent_id,
  parent_agent_turn_id: row.parent_agent_turn_id,
  parent_tool_call_id: row.parent_tool_call_id,
  task_count: row.task_count,
  ...(row.plan_run_id !== null && { plan_run_id: row.plan_run_id, plan_node_id: row.plan_node_id ?? "" }),
  ...(row.max_parallel !== null && { max_parallel: row.max_parallel }),
  fail_fast: row.fail_fast,
  ...(row.policy !== null && gateOf(row, row.policy)),
  ...(row.deadline_at !== null && { deadline_at: iso(row.deadline_at) }),
  status: row.status,
  rev: row.rev,
  created_at: iso(row.created_at),
  ...(row.ended_at !== null && { ended_at: iso(row.ended_at) }),
});

const gateOf = ({ gate_at, arrivals, late, closed_by, task_count }: BatchRow, policy: JoinPolicy) => ({
  policy,
  ...(gate_at !== null && { gate_at: iso(gate_at) }),
  arrivals,
  ...(late.length > 0 && { late }),
  ...(closed_by !== null && { closed_by }),
  needed: neededOf(policy, task_count),
});

export const batchFrame = (row: BatchRow): BatchFrame => ({ kind: "batch", id: row.batch_id, ...batchOf(row) });

/** What the statement that writes a batch sets by itself. */
const UNWRITTEN = { created_at: new Date(0).toISOString(), deadline_at: null, gate_at: null, ended_at: null, rev: 0 };

/** The frame of a batch that a statement is about to write, without what that statement sets (toldBatchSql adds it). */
export function draftBatchFrame(row: Omit<BatchRow, keyof typeof UNWRITTEN>): string {
  const { created_at: _created, rev: _rev, ...frame } = batchFrame({ ...row, ...UNWRITTEN });
  return JSON.stringify(frame);
}

/** Part of a WITH that tells of the batch that its part `batch` has written; `draft` is a parameter with what draftBatchFrame makes. */
export const toldBatchSql = (draft: string) =>
  toldFramesSql(`
    SELECT project_id, ${draft}::jsonb || jsonb_strip_nulls(jsonb_build_object(
      'created_at', ${isoSql("created_at")}, 'deadline_at', ${isoSql("deadline_at")}, 'gate_at', ${isoSql("gate_at")},
      'ended_at', ${isoSql("ended_at")}, 'rev', rev)) AS frame
    FROM batch`);

export const taskOf = (row: BatchTaskRow): BatchTask => {
  const {
    turn: _turn,
    headcode: _headcode,
    title,
    profile_name,
    target_strategy,
    earlier,
    tries_before,
    ...metadata
  } = row.metadata;
  return {
    batch_task_id: row.batch_task_id,
    batch_id: row.batch_id,
    task_index: row.task_index,
    label: `task_${row.task_index + 1}`,
    title,
    profile_name,
    target_strategy,
    agent_id: row.agent_id,
    ...(row.agent_turn_id !== null && { agent_turn_id: row.agent_turn_id }),
    status: row.status,
    attempt_count: row.attempt_count,
    ...(row.attempts_max > 1 && { attempts_max: row.attempts_max }),
    ...(earlier && { earlier, tries_before }),
    ...(row.next_retry_at !== null && { next_retry_at: iso(row.next_retry_at) }),
    ...(row.context_box_id !== null && { context_box_id: row.context_box_id }),
    ...(row.output_box_id !== null && { output_box_id: row.output_box_id }),
    ...(row.result_view !== null && { result: row.result_view }),
    ...(row.error_detail !== null && { error: row.error_detail }),
    metadata,
  };
};

export const batchTaskFrame = (row: BatchTaskRow, root_turn_id: string): BatchTaskFrame => ({
  kind: "batch_task",
  id: row.batch_task_id,
  rev: row.rev,
  batch_id: row.batch_id,
  root_turn_id,
  task_index: row.task_index,
  title: row.metadata.title,
  profile_name: row.metadata.profile_name,
  agent_id: row.agent_id,
  ...(row.agent_turn_id !== null && { agent_turn_id: row.agent_turn_id }),
  status: row.status,
  attempt_count: row.attempt_count,
  ...(row.next_retry_at !== null && { next_retry_at: iso(row.next_retry_at) }),
  ...(row.error_detail !== null && { error: row.error_detail }),
});

const iso = (time: string): string => new Date(time).toISOString();
