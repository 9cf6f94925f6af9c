// Agents as the API returns them: the roster entry with its head.
import * as z from "zod";

export const HeadStatus = z.enum(["idle", "dispatched", "running", "suspended"]).meta({ id: "HeadStatus" });
const AgentHead = z
  .strictObject({
    status: HeadStatus,
    active_agent_turn_id: z.string().optional(),
    turn_epoch: z.number(),
    waiting_tool_count: z.number(),
    lease_holder: z.string().optional(),
    heartbeat_at: z.string().optional(),
    updated_at: z.string(),
  })
  .meta({ id: "AgentHead" });
export const Agent = z
  .strictObject({
    agent_id: z.string(),
    project_id: z.string(),
    profile_box_id: z.string(),
    profile_name: z.string(),
    worker_target: z.string(),
    tags: z.array(z.string()),
    is_human: z.boolean(),
    display_name: z.string().optional(),
    owner_agent_id: z.string().optional(),
    derived_from: z.string().optional(),
    status: z.enum(["active", "inactive"]),
    metadata: z.record(z.string(), z.unknown()),
    rev: z.number(),
    created_at: z.string(),
    last_seen_at: z.string().optional(),
    head: AgentHead,
    queued_count: z.number(),
    last_output_box_id: z.string().optional(),
  })
  .meta({ id: "Agent" });
