// The columns of a bundle's lines, as they are read and written. Times are texts with microseconds: as dates they would lose the
// order of what happened within a millisecond.
import { TurnLine } from "@/server/contract/bundle/lines";

export const usSql = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const RUN_COLUMNS = ["root_turn_id", "title", "letters", "metadata", "env_rev", "limits"] as const;
export const TURN_TIMES = ["created_at", "leased_at", "started_at", "ended_at"] as const;
/** What the format has of a turn, so that a new column is written down there alone. */
export const TURN_COLUMNS = Object.keys(TurnLine.shape).filter((key) => !TURN_TIMES.some((time) => time === key));
export const STEP_COLUMNS = [
  "step_id",
  "agent_turn_id",
  "agent_id",
  "turn_epoch",
  "ordinal",
  "status",
  "parent_step_id",
  "trace_id",
  "request_box_id",
  "request_sha256",
  "request_tokens",
  "tool_call_ids",
  "usage",
  "cost",
  "note",
  "error",
] as const;
export const STEP_TIMES = ["started_at", "ended_at"] as const;
export const EDGE_COLUMNS = [
  "edge_id",
  "primitive",
  "edge_phase",
  "source_agent_id",
  "source_turn_id",
  "source_step_id",
  "target_agent_id",
  "target_turn_id",
  "root_turn_id",
  "correlation_id",
  "recursion_depth",
  "trace_id",
  "parent_step_id",
  "is_inferred",
  "metadata",
] as const;
export const ENV_COLUMNS = [
  "key",
  "short_description",
  "value",
  "stored_by",
  "stored_by_turn_id",
  "value_bytes",
  "rev",
] as const;
export const ENV_TIMES = ["created_at", "updated_at"] as const;
export const ALARM_COLUMNS = ["alarm_id", "rule", "subject_kind", "subject_id", "agent_turn_id", "figures"] as const;
export const REQUEST_COLUMNS = [
  "request_id",
  "kind",
  "agent_id",
  "agent_turn_id",
  "turn_epoch",
  "step_id",
  "tool_call_id",
  "tool_call_card_id",
  "tool_name",
  "question",
  "choices",
  "arguments",
  "parameters",
  "status",
  "decided_by",
  "answer",
  "edited_arguments",
  "reason",
  "decision_card_id",
] as const;
export const REQUEST_TIMES = ["deadline_at", "created_at", "decided_at"] as const;
export const BATCH_COLUMNS = [
  "batch_id",
  "parent_agent_id",
  "parent_agent_turn_id",
  "parent_tool_call_id",
  "parent_turn_epoch",
  "task_count",
  "max_parallel",
  "fail_fast",
  "status",
  "metadata",
  "tool_name",
  "policy",
  "arrivals",
  "late",
  "closed_by",
] as const;
export const BATCH_TIMES = ["deadline_at", "gate_at", "created_at", "ended_at"] as const;
export const TASK_COLUMNS = [
  "batch_id",
  "batch_task_id",
  "agent_id",
  "context_box_id",
  "task_index",
  "metadata",
  "agent_turn_id",
  "attempt_count",
  "attempts_max",
  "output_box_id",
  "error_detail",
  "result_view",
  "status",
] as const;
export const AGENT_COLUMNS = [
  "agent_id",
  "profile_box_id",
  "profile_name",
  "worker_target",
  "tags",
  "display_name",
  "owner_agent_id",
  "derived_from",
  "metadata",
  "is_human",
] as const;
export const PROFILE_COLUMNS = [
  "profile_box_id",
  "name",
  "worker_target",
  "tags",
  "description",
  "delegation_context",
] as const;
export const TOOL_COLUMNS = [
  "tool_name",
  "description",
  "parameters",
  "target_subject",
  "after_execution",
  "options",
] as const;
export const NAME_COLUMNS = ["area", "name", "sha256", "mime", "size", "created_by"] as const;
export const PACK_COLUMNS = [
  "sha256",
  "pack_id",
  "input_key",
  "kind",
  "title",
  "goal",
  "sidecar_sha256",
  "input_sha256",
  "estimate",
  "token_limit",
  "found",
  "profile",
  "global_mode",
  "counts",
  "agent_turn_id",
  "created_by",
] as const;
