// Rows of the state tables as the API returns them.
import * as z from "zod";
import { HeadStatus } from "./agents";
import { Step } from "./turns";

export const HeadState = z
  .strictObject({
    agent_id: z.string(),
    status: HeadStatus,
    turn_epoch: z.number(),
    active_agent_turn_id: z.string().optional(),
    profile_box_id: z.string().optional(),
    context_box_id: z.string().optional(),
    output_box_id: z.string().optional(),
    parent_step_id: z.string().optional(),
    trace_id: z.string().optional(),
    waiting_tool_count: z.number(),
    resume_deadline: z.string().optional(),
    lease_holder: z.string().optional(),
    heartbeat_at: z.string().optional(),
    updated_at: z.string(),
  })
  .meta({ id: "HeadState" });
export const StepState = Step.extend({
  agent_id: z.string(),
  turn_epoch: z.number(),
  parent_step_id: z.string().optional(),
  trace_id: z.string().optional(),
}).meta({ id: "StepState" });
export const ExecutionEdge = z
  .strictObject({
    edge_id: z.string(),
    primitive: z.enum(["tool_call", "join", "enqueue", "report"]),
    edge_phase: z.enum(["request", "response"]),
    source_agent_id: z.string().optional(),
    source_turn_id: z.string().optional(),
    source_step_id: z.string().optional(),
    target_agent_id: z.string().optional(),
    target_turn_id: z.string().optional(),
    root_turn_id: z.string().optional(),
    correlation_id: z.string(),
    recursion_depth: z.number(),
    trace_id: z.string().optional(),
    parent_step_id: z.string().optional(),
    is_inferred: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: z.string(),
  })
  .meta({ id: "ExecutionEdge" });
export const IdentityEdge = z
  .strictObject({
    edge_id: z.string(),
    action: z.enum(["provision", "derive", "update"]),
    source_agent_id: z.string().optional(),
    target_agent_id: z.string(),
    trace_id: z.string().optional(),
    parent_step_id: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: z.string(),
  })
  .meta({ id: "IdentityEdge" });
