// Rows of plan runs and their nodes, and the frames the live view sees of them.
import type { BatchStatus } from "@/server/contract/batch";
import type { PlanNodeFrame, PlanRunFrame } from "@/server/contract/frame";
import type { PlanNodeStatus, PlanRun, PlanRunNode, Replays } from "@/server/contract/plan/plan-run";

export type PlanRunKey = { project_id: string; plan_run_id: string };

/** What an input was given: the text and the card made of it, or an id. */
export type GivenInput = { text?: string; card_id: string; box_id?: never } | { box_id: string; text?: never };

/** All of state.plan_runs but the body, which is read once for each revision. */
export type PlanRunRow = PlanRunKey & {
  parent_turn_id: string;
  parent_tool_call_id: string | null;
  root_turn_id: string;
  plan_id: string | null;
  version: number | null;
  body_rev: number;
  sha256: string;
  inputs: Record<string, GivenInput>;
  is_stepped: boolean;
  forked_from: string | null;
  status: BatchStatus;
  deadline_at: string | null;
  rev: number;
  created_at: string;
  ended_at: string | null;
};

/** What lists and frames tell. What a launch was given may have megabytes, and none of them carries it. */
export type PlanRunFrameRow = Omit<PlanRunRow, "inputs">;
export const PLAN_RUN_FRAME_COLUMNS = [
  "project_id",
  "plan_run_id",
  "parent_turn_id",
  "parent_tool_call_id",
  "root_turn_id",
  "plan_id",
  "version",
  "body_rev",
  "sha256",
  "is_stepped",
  "forked_from",
  "status",
  "deadline_at",
  "rev",
  "created_at",
  "ended_at",
] as const satisfies readonly (keyof PlanRunRow)[];

export const PLAN_RUN_COLUMNS = [...PLAN_RUN_FRAME_COLUMNS, "inputs"] as const satisfies readonly (keyof PlanRunRow)[];

export type PlanNodeRow = PlanRunKey & {
  node_id: string;
  status: PlanNodeStatus;
  try: number;
  /** Failed starts of this try. */
  starts: number;
  headcodes: string[];
  batch_id: string | null;
  request_id: string | null;
  is_released: boolean;
  replays: Replays | null;
  reason: string | null;
  error_code: string | null;
  next_retry_at: string | null;
  rev: number;
  started_at: string | null;
  ended_at: string | null;
};

/** All of state.plan_run_nodes. */
export const PLAN_NODE_COLUMNS = [
  "project_id",
  "plan_run_id",
  "node_id",
  "status",
  "try",
  "starts",
  "headcodes",
  "batch_id",
  "request_id",
  "is_released",
  "replays",
  "reason",
  "error_code",
  "next_retry_at",
  "rev",
  "started_at",
  "ended_at",
] as const satisfies readonly (keyof PlanNodeRow)[];

/** `name` is part of the body. */
export const planRunOf = (row: PlanRunFrameRow, name: string): PlanRun => ({
  plan_run_id: row.plan_run_id,
  parent_turn_id: row.parent_turn_id,
  ...(row.parent_tool_call_id !== null && { parent_tool_call_id: row.parent_tool_call_id }),
  root_turn_id: row.root_turn_id,
  ...(row.plan_id !== null && { plan_id: row.plan_id }),
  ...(row.version !== null && { version: row.version }),
  name,
  body_rev: row.body_rev,
  sha256: row.sha256,
  is_stepped: row.is_stepped,
  ...(row.forked_from !== null && { forked_from: row.forked_from }),
  status: row.status,
  ...(row.deadline_at !== null && { deadline_at: iso(row.deadline_at) }),
  rev: row.rev,
  created_at: iso(row.created_at),
  ...(row.ended_at !== null && { ended_at: iso(row.ended_at) }),
});

export const planRunFrame = (row: PlanRunFrameRow, name: string): PlanRunFrame => ({
  kind: "plan_run",
  id: row.plan_run_id,
  ...planRunOf(row, name),
});

export const planNodeOf = (row: PlanNodeRow): PlanRunNode => ({
  plan_run_id: row.plan_run_id,
  node_id: row.node_id,
  status: row.status,
  try: row.try,
  headcodes: row.headcodes,
  ...(row.replays !== null && { replays: row.replays }),
  ...(row.batch_id !== null && { batch_id: row.batch_id }),
  ...(row.status === "held" && row.request_id !== null && { request_id: row.request_id }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.error_code !== null && { error_code: row.error_code }),
  ...(row.next_retry_at !== null && { next_retry_at: iso(row.next_retry_at) }),
  rev: row.rev,
  ...(row.started_at !== null && { started_at: iso(row.started_at) }),
  ...(row.ended_at !== null && { ended_at: iso(row.ended_at) }),
});

export const planNodeFrame = (row: PlanNodeRow, root_turn_id: string): PlanNodeFrame => ({
  kind: "plan_node",
  id: `${row.plan_run_id}.${row.node_id}`,
  root_turn_id,
  ...planNodeOf(row),
});

const iso = (time: string): string => new Date(time).toISOString();
