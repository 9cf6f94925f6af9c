// Batches as the API returns them: as a line of a list, and in full with their tasks.
import * as z from "zod";
import { batchStatuses } from "../batch";
import { PackArtifactRef } from "../context-pack/pack";
import { JoinPolicy } from "../join-policy";
import { EndStatus, TargetStrategy, TurnRef } from "./turns";

const BatchTool = z.enum(["fork_join", "ask_expert", "plan_wagon"]).meta({ id: "BatchTool" });
const BatchStatus = z.enum(batchStatuses).meta({ id: "BatchStatus" });
export const RunSource = z.enum(["launch", "import", "demo"]).meta({ id: "RunSource" });
const BatchRun = z
  .strictObject({
    number: z.number(),
    root_turn_id: z.string(),
    title: z.string(),
    source: RunSource,
  })
  .meta({ id: "BatchRun" });
const LaneStatus = z
  .enum([
    "success",
    "dispatched",
    "running",
    "suspended",
    "partial",
    "failed",
    "timeout",
    "canceled",
    "queued",
    "pending",
  ])
  .meta({ id: "LaneStatus" });
export const Batch = z
  .strictObject({
    batch_id: z.string(),
    tool_name: BatchTool,
    root_turn_id: z.string(),
    parent_agent_id: z.string(),
    parent_agent_turn_id: z.string(),
    parent_tool_call_id: z.string(),
    plan_run_id: z.string().optional().describe("Of a node of a plan."),
    plan_node_id: z.string().optional(),
    task_count: z.number(),
    max_parallel: z.number().optional(),
    fail_fast: z.boolean(),
    deadline_at: z.string().optional(),
    policy: JoinPolicy.optional().describe("When the join stops waiting. Absent = for all tasks."),
    needed: z.number().optional().describe("With a policy: how many arrivals close the gate."),
    arrivals: z
      .array(z.number())
      .optional()
      .describe("With a policy: indexes of tasks without attempts left, in the order of their arrival."),
    late: z
      .array(z.number())
      .optional()
      .describe("Indexes of tasks that were too late to change the result, and were not stopped."),
    gate_at: z.string().optional().describe("When the policy's own time is over."),
    closed_by: z
      .enum(["satisfied", "quorum_unreachable", "join_timeout", "partial_timeout"])
      .optional()
      .describe("Why the gate of a policy closed. Absent = it is open, or the batch ended by its deadline or a stop."),
    status: BatchStatus,
    rev: z.number(),
    created_at: z.string(),
    ended_at: z.string().optional(),
  })
  .meta({ id: "Batch" });
export const BatchLine = Batch.extend({
  number: z
    .number()
    .optional()
    .describe("Its number among the forks of its run, from 1: B1, B2. Absent for a question to an expert."),
  run: BatchRun.optional(),
  parent: TurnRef.optional(),
  lanes: z.array(LaneStatus).describe("In task_index order."),
}).meta({ id: "BatchLine" });
export const TaskStatus = z
  .enum(["success", "dispatched", "partial", "failed", "timeout", "canceled", "pending"])
  .meta({ id: "TaskStatus" });
const EarlierAttempt = z
  .strictObject({
    agent_turn_id: z.string().optional(),
    status: TaskStatus,
    retried_by: z.string().describe('The person, or "attempts" if the task had attempts left.'),
  })
  .meta({ id: "EarlierAttempt" });
const BranchResult = z
  .strictObject({
    task_index: z.number(),
    status: EndStatus,
    summary: z.string().optional().describe("First five fields of the deliverable, or its text."),
    output_box_id: z.string().optional(),
    agent_id: z.string().optional(),
    agent_turn_id: z.string().optional(),
    error: z.string().optional(),
    context_pack_ref: PackArtifactRef.optional().describe(
      "The newest context pack that it built and handed to nobody.",
    ),
  })
  .meta({ id: "BranchResult" });
const BatchTask = z
  .strictObject({
    batch_task_id: z.string(),
    batch_id: z.string(),
    task_index: z.number(),
    label: z.string().describe("task_1, task_2 ..."),
    title: z.string(),
    profile_name: z.string(),
    target_strategy: TargetStrategy,
    agent_id: z.string(),
    agent_turn_id: z.string().optional(),
    status: TaskStatus,
    attempt_count: z
      .number()
      .describe(
        "Dispatches so far, including the current one. After a transient failure, next_retry_at says when the next one is due.",
      ),
    attempts_max: z.number().optional().describe("How often the task is tried if it fails. Absent = once."),
    earlier: z.array(EarlierAttempt).optional().describe("Oldest first. Absent if there was none."),
    tries_before: z
      .number()
      .optional()
      .describe("Dispatches of the earlier attempts. Each attempt counts its own tries."),
    next_retry_at: z.string().optional(),
    context_box_id: z.string().optional(),
    output_box_id: z.string().optional(),
    result: BranchResult.optional(),
    error: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "BatchTask" });
export const BatchDetail = Batch.extend({
  tasks: z.array(BatchTask),
}).meta({ id: "BatchDetail" });
