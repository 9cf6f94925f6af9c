// Frames of the event stream, and the streamed text of a turn's model.
import * as z from "zod";
import { RunLimits } from "../run-limits";
import { Alarm, AlarmMute, AlarmRule } from "./alarms";
import { Batch, RunSource, TaskStatus } from "./batches";
import { BoxKind } from "./boxes";
import { HumanRequestKind, HumanRequestStatus } from "./human-requests";
import { PlanRun, PlanRunNode } from "./plans";
import { RunHold } from "./runs";
import { EndStatus, LateFrame, Primitive, TargetStrategy, Turn } from "./turns";

const RunFrame = z
  .strictObject({
    kind: z.literal("run"),
    id: z.string(),
    rev: z.number(),
    root_turn_id: z.string(),
    number: z.number(),
    title: z.string(),
    source: RunSource,
    metadata: z
      .record(z.string(), z.unknown())
      .describe("For imports: question, ground_truth, mistake_agent, mistake_step, mistake_reason, file_name, format."),
    created_at: z.string(),
    limits: RunLimits.optional(),
    held: RunHold.optional().describe("A limit that is reached: turns that would begin wait."),
    is_deleted: z
      .literal(true)
      .optional()
      .describe("The run was deleted for good, with everything in it. Its title is empty then."),
  })
  .meta({ id: "RunFrame" });
const HumanRequestFrame = z
  .strictObject({
    kind: z.literal("human_request"),
    id: z.string(),
    rev: z.number(),
    request_kind: HumanRequestKind,
    status: HumanRequestStatus,
    agent_id: z.string(),
    agent_turn_id: z.string(),
    root_turn_id: z.string(),
    turn_epoch: z.number(),
    step_id: z.string().optional(),
    tool_call_id: z.string(),
    tool_name: z.string(),
    title: z.string().describe("First line of the question; of an approval, the tool's name."),
    decided_by: z.string().optional(),
    is_edited: z.boolean().describe("A person changed the model's arguments before approving."),
    reason: z.string().optional(),
    decision_card_id: z.string().optional(),
    deadline_at: z.string().optional(),
    created_at: z.string(),
    decided_at: z.string().optional(),
  })
  .meta({ id: "HumanRequestFrame" });
const EdgeFrame = z
  .strictObject({
    kind: z.literal("edge"),
    id: z.string(),
    rev: z.number(),
    root_turn_id: z.string(),
    source_turn_id: z.string(),
    target_turn_id: z.string(),
    is_inferred: z.boolean(),
    primitive: Primitive,
    target_strategy: TargetStrategy.optional(),
    created_at: z.string(),
  })
  .meta({ id: "EdgeFrame" });
const AgentFrame = z
  .strictObject({
    kind: z.literal("agent"),
    id: z.string(),
    rev: z.number(),
    agent_id: z.string(),
    profile_name: z.string(),
    display_name: z.string().optional(),
    worker_target: z.string(),
    owner_agent_id: z.string().optional(),
    derived_from: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: "AgentFrame" });
const ProfileFrame = z
  .strictObject({
    kind: z.literal("profile"),
    id: z.string(),
    rev: z.number(),
    name: z.string(),
    profile_box_id: z.string(),
    worker_target: z.string(),
    is_deleted: z.boolean(),
  })
  .meta({ id: "ProfileFrame" });
const BoxFrame = z
  .strictObject({
    kind: z.literal("box"),
    id: z.string(),
    rev: z.number(),
    box_kind: BoxKind,
    owner_turn_id: z.string().optional(),
    length: z.number(),
    token_sum: z.number(),
  })
  .meta({ id: "BoxFrame" });
const TaskFrame = z
  .strictObject({
    kind: z.literal("task"),
    id: z.string(),
    rev: z.number(),
    status: EndStatus,
    agent_id: z.string(),
    root_turn_id: z.string(),
    output_box_id: z.string(),
    deliverable_card_id: z.string(),
    error_code: z.string().optional(),
  })
  .meta({ id: "TaskFrame" });
const BatchFrame = Batch.extend({
  kind: z.literal("batch"),
  id: z.string(),
}).meta({ id: "BatchFrame" });
const BatchTaskFrame = z
  .strictObject({
    kind: z.literal("batch_task"),
    id: z.string(),
    rev: z.number(),
    batch_id: z.string(),
    root_turn_id: z.string(),
    task_index: z.number(),
    title: z.string(),
    profile_name: z.string(),
    agent_id: z.string(),
    agent_turn_id: z.string().optional(),
    status: TaskStatus,
    attempt_count: z.number(),
    next_retry_at: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: "BatchTaskFrame" });
const PlanRunFrame = PlanRun.extend({ kind: z.literal("plan_run"), id: z.string() })
  .strict()
  .meta({ id: "PlanRunFrame" });
const PlanNodeFrame = PlanRunNode.extend({
  kind: z.literal("plan_node"),
  id: z.string().describe("plan_run_id.node_id"),
  root_turn_id: z.string(),
})
  .strict()
  .meta({ id: "PlanNodeFrame" });
const EnvDataFrame = z
  .strictObject({
    kind: z.literal("env_data"),
    id: z.string(),
    rev: z.number(),
    root_turn_id: z.string(),
    key: z.string(),
    short_description: z.string(),
    stored_by: z.string(),
    stored_by_turn_id: z.string().optional(),
    is_deleted: z.boolean(),
    updated_at: z.string(),
  })
  .meta({ id: "EnvDataFrame" });
const CardFrame = z
  .strictObject({
    kind: z.literal("card"),
    id: z.string(),
    rev: z.number(),
    is_deleted: z.literal(true),
    deleted_by: z.string(),
    deleted_at: z.string(),
  })
  .meta({ id: "CardFrame" });
const AlarmFrame = Alarm.extend({ kind: z.literal("alarm"), id: z.string() }).meta({ id: "AlarmFrame" });
const AlarmRuleFrame = z
  .strictObject({
    kind: z.literal("alarm_rule"),
    id: AlarmRule,
    rev: z.number(),
    is_muted: z.boolean(),
    muted: AlarmMute.optional(),
  })
  .meta({ id: "AlarmRuleFrame" });
const ProjectFrame = z
  .strictObject({
    kind: z.literal("project"),
    id: z.string(),
    rev: z.number(),
    title: z.string(),
    status: z.string(),
    is_deleted: z.boolean(),
  })
  .meta({ id: "ProjectFrame" });
export const Frame = z
  .union([
    RunFrame,
    Turn,
    HumanRequestFrame,
    LateFrame,
    EdgeFrame,
    AgentFrame,
    ProfileFrame,
    BoxFrame,
    TaskFrame,
    BatchFrame,
    BatchTaskFrame,
    PlanRunFrame,
    PlanNodeFrame,
    EnvDataFrame,
    CardFrame,
    AlarmFrame,
    AlarmRuleFrame,
    ProjectFrame,
  ])
  .meta({ id: "Frame" });
const ThinkingPart = z.enum(["text", "reasoning"]).meta({ id: "ThinkingPart" });
export const ThinkingPiece = z
  .strictObject({
    agent_turn_id: z.string(),
    turn_epoch: z.number().describe("A worker that lost the turn may still send pieces."),
    step_id: z.string(),
    seq: z.number().describe("Rises within the epoch. Discard a piece that is out of order."),
    round: z
      .number()
      .describe("Rises when the connection breaks and the model is asked again. Discard pieces of earlier rounds."),
    part: ThinkingPart,
    offset: z.number().describe("In UTF-16 code units, like the length of a JavaScript string."),
    text: z.string(),
    is_over: z.boolean().describe("The step's text is complete."),
  })
  .meta({ id: "ThinkingPiece" });

/** Sent instead of frames that no longer exist. */
export const Reset = z.strictObject({ reset: z.literal(true), reason: z.string() }).meta({ id: "Reset" });
