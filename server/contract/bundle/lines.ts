// One line of each part of a run bundle, except those of store-lines.ts and plan-lines.ts. Strict: a field that nobody knows here is from a newer
// version, and would be lost.
import * as z from "zod";
import { INT_MAX } from "../bounds";
import { Id } from "../ids";
import { JoinPolicy } from "../join-policy";
import { NodeId } from "../plan/plan";
import { RunLimits } from "../run-limits";
import { BUNDLE_LIMITS } from "./manifest";
import { ForkedFrom, Json, JsonObject, Mark, Name, Question, Result, TaskFacts, Text, Usage } from "./values";

/** Microseconds: turns and cards of one millisecond keep their order. */
export const At = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, "a time with six decimals, in UTC")
  // The database takes a second 60, and nothing that shows it does.
  .refine((time) => !Number.isNaN(Date.parse(time)), "is no time that there is");
export const Count = z.int().min(0).max(INT_MAX);
/** Of a column of eight bytes. */
export const Long = z.int().min(0);
const Cost = z.number().min(0).max(99_999_999);
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits");

export const RunLine = z.strictObject({
  root_turn_id: Id,
  title: Text,
  letters: JsonObject,
  metadata: JsonObject,
  env_rev: Long,
  limits: RunLimits.nullable(),
  created_at: At,
});
export type RunLine = z.infer<typeof RunLine>;

const live = ["queued", "dispatched", "running", "suspended"] as const;
const ended = ["success", "partial", "failed", "timeout", "canceled"] as const;
export const isLive = (status: string): boolean => (live as readonly string[]).includes(status);

export const TurnLine = z.strictObject({
  agent_turn_id: Id,
  agent_id: Id,
  parent_turn_id: Id.nullable(),
  parent_step_id: Name.nullable(),
  parent_tool_call_id: Name.nullable(),
  primitive: z.enum(["delegate_async", "fork_join", "ask_expert", "launch_principal", "ui_action", "import"]),
  target_strategy: z.enum(["new", "reuse", "clone"]).nullable(),
  channel: Name,
  trace_id: Name,
  profile_box_id: Id,
  profile_name: Name,
  worker_target: Name,
  context_box_id: Id,
  context_consist: Text,
  instruction_card_id: Id.nullable(),
  batch_id: Id.nullable(),
  batch_task_id: Id.nullable(),
  headcode: Name,
  title: Text,
  depth: Count,
  task_index: Count.nullable(),
  window_tokens: Count.nullable(),
  context_cards: Count,
  context_tokens: Long,
  forked_from: ForkedFrom.nullable(),
  output_box_id: Id.nullable(),
  output_start: Count.nullable(),
  attempt: Count,
  handovers: Count,
  deliverable_card_id: Id.nullable(),
  error_code: Name.nullable(),
  error: Text.nullable(),
  cost: Cost.nullable(),
  step_count: Count,
  output_cards: Count,
  output_tokens: Long,
  tokens_in: Long,
  tokens_out: Long,
  output_consist: Text,
  note: Text.nullable(),
  turn_epoch: Long,
  is_human: z.boolean(),
  status: z.enum([...live, ...ended]),
  sent_tokens: Count.nullable(),
  fullest_tokens: Count.nullable(),
  created_at: At,
  leased_at: At.nullable(),
  started_at: At.nullable(),
  ended_at: At.nullable(),
});
export type TurnLine = z.infer<typeof TurnLine>;

export const StepLine = z.strictObject({
  step_id: Id,
  agent_turn_id: Id,
  agent_id: Id,
  turn_epoch: Long,
  ordinal: Count,
  status: z.enum(["started", "completed", "failed"]),
  parent_step_id: Name.nullable(),
  trace_id: Name.nullable(),
  request_box_id: Id.nullable(),
  request_sha256: Name.nullable(),
  request_tokens: Count.nullable(),
  tool_call_ids: z.array(Name).max(10_000),
  usage: Usage.nullable(),
  cost: Cost.nullable(),
  note: Text.nullable(),
  error: Text.nullable(),
  started_at: At,
  ended_at: At.nullable(),
});
export type StepLine = z.infer<typeof StepLine>;

/** The bytes that a step sent: as text where they are UTF-8, else in base64. */
export const RequestLine = z.strictObject({
  step_id: Id,
  text: z.string().max(BUNDLE_LIMITS.requestBytesMax).nullable(),
  base64: z.base64().max(BUNDLE_LIMITS.requestBytesMax).nullable(),
});
export type RequestLine = z.infer<typeof RequestLine>;

export const EdgeLine = z.strictObject({
  edge_id: Id,
  primitive: z.enum(["enqueue", "report", "join", "tool_call"]),
  edge_phase: z.enum(["request", "response"]),
  source_agent_id: Id.nullable(),
  source_turn_id: Id.nullable(),
  source_step_id: Id.nullable(),
  target_agent_id: Id.nullable(),
  target_turn_id: Id.nullable(),
  root_turn_id: Id.nullable(),
  correlation_id: Name,
  recursion_depth: Count,
  trace_id: Name.nullable(),
  parent_step_id: Name.nullable(),
  is_inferred: z.boolean(),
  metadata: JsonObject.nullable(),
  created_at: At,
});
export type EdgeLine = z.infer<typeof EdgeLine>;

export const MarkLine = z.strictObject({ agent_turn_id: Id, mark: Mark });
export type MarkLine = z.infer<typeof MarkLine>;

export const EnvLine = z.strictObject({
  key: Text,
  short_description: Text,
  value: Json,
  stored_by: Name,
  stored_by_turn_id: Id.nullable(),
  value_bytes: Count,
  rev: Long,
  created_at: At,
  updated_at: At,
});
export type EnvLine = z.infer<typeof EnvLine>;

export const AlarmLine = z.strictObject({
  alarm_id: Id,
  rule: Name,
  subject_kind: z.enum(["turn", "batch", "box", "card", "agent"]),
  subject_id: Name,
  agent_turn_id: Id,
  figures: z.record(z.string().max(200), z.union([z.number(), Name])),
  found_at: At,
});
export type AlarmLine = z.infer<typeof AlarmLine>;

/** Of an alarm of the run. What mutes a rule as a whole belongs to its project. */
export const MuteLine = z.strictObject({
  alarm_id: Id,
  person: Name,
  reason: z.string().min(1).max(500),
  muted_at: At,
});
export type MuteLine = z.infer<typeof MuteLine>;

export const HumanRequestLine = z.strictObject({
  request_id: Id,
  kind: z.enum(["question", "approval", "plan_hold"]),
  agent_id: Id,
  agent_turn_id: Id,
  turn_epoch: Long,
  step_id: Name.nullable(),
  tool_call_id: Name,
  tool_call_card_id: Id.nullable(),
  tool_name: Name,
  question: Question.nullable(),
  choices: z.array(Text).max(1_000).nullable(),
  arguments: Json,
  parameters: JsonObject.nullable(),
  status: z.enum(["open", "answered", "approved", "denied", "expired", "dropped"]),
  decided_by: Name.nullable(),
  answer: Text.nullable(),
  edited_arguments: JsonObject.nullable(),
  reason: Text.nullable(),
  decision_card_id: Id.nullable(),
  deadline_at: At.nullable(),
  created_at: At,
  decided_at: At.nullable(),
});
export type HumanRequestLine = z.infer<typeof HumanRequestLine>;

export const TaskLine = z.strictObject({
  batch_id: Id,
  batch_task_id: Id,
  agent_id: Id,
  context_box_id: Id.nullable(),
  task_index: Count,
  metadata: TaskFacts,
  agent_turn_id: Id.nullable(),
  attempt_count: Count,
  attempts_max: z.int().min(1).max(5),
  output_box_id: Id.nullable(),
  error_detail: Text.nullable(),
  result_view: Result.nullable(),
  status: z.enum(["pending", "dispatched", "success", "failed", "canceled", "timeout", "partial"]),
  created_at: At,
});
export type TaskLine = z.infer<typeof TaskLine>;

export const BatchLine = z.strictObject({
  batch_id: Id,
  parent_agent_id: Id,
  parent_agent_turn_id: Id,
  parent_tool_call_id: Name,
  parent_turn_epoch: Long,
  task_count: Count.min(1),
  max_parallel: Count.min(1).nullable(),
  fail_fast: z.boolean(),
  status: z.enum(["running", "success", "partial", "failed", "timeout", "canceled"]),
  metadata: JsonObject,
  tool_name: z.enum(["fork_join", "ask_expert", "plan_wagon"]),
  policy: JoinPolicy.nullable(),
  arrivals: z.array(Count).max(100_000),
  late: z.array(Count).max(100_000),
  closed_by: z.enum(["satisfied", "quorum_unreachable", "join_timeout", "partial_timeout"]).nullable(),
  deadline_at: At.nullable(),
  gate_at: At.nullable(),
  created_at: At,
  ended_at: At.nullable(),
  /** The node of a plan run that it is, and which try. */
  plan: z.strictObject({ plan_run_id: Id, node_id: NodeId, try: Count.min(1) }).optional(),
  tasks: z.array(TaskLine).max(100_000),
});
export type BatchLine = z.infer<typeof BatchLine>;
