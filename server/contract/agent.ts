// An agent: a row in the roster (identity) and a head (what it does now).
import * as z from "zod";
import { Id } from "./ids";
import { WorkerTarget } from "./worker-target";

export const NewAgent = z.strictObject({
  agent_id: Id.optional(),
  profile_name: z.string().trim().min(1),
  worker_target: WorkerTarget.optional(),
  tags: z.array(z.string()).optional(),
  display_name: z.string().max(200).optional(),
  owner_agent_id: Id.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
});
export type NewAgent = z.infer<typeof NewAgent>;

export type HeadStatus = "idle" | "dispatched" | "running" | "suspended";

export type AgentHead = {
  status: HeadStatus;
  active_agent_turn_id?: string;
  turn_epoch: number;
  waiting_tool_count: number;
  lease_holder?: string;
  heartbeat_at?: string;
  updated_at: string;
};

export type Agent = {
  agent_id: string;
  project_id: string;
  profile_box_id: string;
  profile_name: string;
  worker_target: string;
  tags: string[];
  is_human: boolean;
  display_name?: string;
  owner_agent_id?: string;
  derived_from?: string;
  status: "active" | "inactive";
  metadata: Record<string, unknown>;
  rev: number;
  created_at: string;
  last_seen_at?: string;
  head: AgentHead;
  queued_count: number;
  last_output_box_id?: string;
};

export const ProvisionInput = z.strictObject({
  action: z.enum(["ensure", "create", "derive"]),
  agent_id: Id,
  profile_name: z.string().trim().min(1).optional(),
  derived_from: Id.optional(),
  display_name: z.string().max(200).optional(),
  owner_agent_id: Id.optional(),
  worker_target: WorkerTarget.optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.json()).optional(),
});
export type ProvisionInput = z.infer<typeof ProvisionInput>;
export type ProvisionResult = { status: "accepted"; agent_id: string; roster_updated: boolean };
