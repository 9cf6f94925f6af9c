// A run of a plan, and how its nodes stand: as the kernel keeps them, as frames tell them, and as REST answers them.
import type { BatchStatus, TaskStatus } from "../batch";
import type { Layout, Plan } from "./plan";

/** held = a person must let it start. skipped = a track into it can never be met, or a person skipped it. replayed = it takes a recorded result. */
export const planNodeStatuses = [
  "waiting",
  "held",
  "running",
  "skipped",
  "replayed",
  "success",
  "partial",
  "failed",
  "timeout",
  "canceled",
] as const;
export type PlanNodeStatus = (typeof planNodeStatuses)[number];

/** The yard's first picture holds the newest of them. */
export const PLAN_RUNS_SHOWN = 50;

export type PlanRun = {
  plan_run_id: string;
  parent_turn_id: string;
  /** The call of an agent; absent = a person launched it. */
  parent_tool_call_id?: string;
  root_turn_id: string;
  /** Absent = a draft was launched. */
  plan_id?: string;
  version?: number;
  name: string;
  body_rev: number;
  /** Of the body as launched, without its layout. */
  sha256: string;
  is_stepped: boolean;
  /** The run that it is a fork of. */
  forked_from?: string;
  status: BatchStatus;
  /** ISO 8601; absent = none. */
  deadline_at?: string;
  rev: number;
  created_at: string;
  ended_at?: string;
};

/**
 * Of a node that is replayed: the batch whose results it takes, and the run that it is part of. Of a fork of which some tasks run:
 * by task id, the branch (batch_task_id) whose result it takes.
 */
export type Replays =
  | { plan_run_id: string; batch_id: string; tasks?: never }
  | { tasks: Record<string, string>; batch_id?: never };

export type PlanRunNode = {
  plan_run_id: string;
  node_id: string;
  status: PlanNodeStatus;
  /** From 1; each try is a batch of its own. */
  try: number;
  /** Kept at the launch, one for each turn it will be. */
  headcodes: string[];
  replays?: Replays;
  batch_id?: string;
  /** The request that a person decides, while it is held. */
  request_id?: string;
  /** Why it is held, skipped or failed. */
  reason?: string;
  error_code?: string;
  next_retry_at?: string;
  rev: number;
  started_at?: string;
  ended_at?: string;
};

/** A wagon of a node in its current try, or the recorded one that it takes the result of. */
export type PlanRunTurn = {
  /** Of a fork: the task's id. Absent where an edit has taken it out of the body. */
  task?: string;
  status: TaskStatus;
  agent_id: string;
  /** Absent until it has a turn. */
  agent_turn_id?: string;
  output_box_id?: string;
  deliverable_card_id?: string;
};

/** Nodes in the order of the plan, turns in the order of the tasks. */
export type PlanRunDetail = PlanRun & {
  body: Omit<Plan, "layout">;
  layout: Layout;
  nodes: (PlanRunNode & { turns: PlanRunTurn[] })[];
};
