// A row of the roster and its frame.
import type { AgentFrame } from "@/server/contract/frame";

export type AgentRow = {
  project_id: string;
  agent_id: string;
  profile_box_id: string;
  profile_name: string;
  worker_target: string;
  tags: string[];
  /** A person. Nobody but the kernel says so. */
  is_human: boolean;
  display_name: string | null;
  owner_agent_id: string | null;
  derived_from: string | null;
  status: "active" | "inactive";
  metadata: Record<string, unknown>;
  rev: number;
  created_at: string;
  last_seen_at: string | null;
};

/** All of resource.project_agents. */
export const AGENT_COLUMNS = [
  "project_id",
  "agent_id",
  "profile_box_id",
  "profile_name",
  "worker_target",
  "tags",
  "display_name",
  "owner_agent_id",
  "derived_from",
  "status",
  "metadata",
  "is_human",
  "rev",
  "created_at",
  "last_seen_at",
] as const satisfies readonly (keyof AgentRow)[];

export const agentFrame = (row: AgentRow): AgentFrame => ({
  kind: "agent",
  id: row.agent_id,
  rev: row.rev,
  agent_id: row.agent_id,
  profile_name: row.profile_name,
  display_name: row.display_name ?? undefined,
  worker_target: row.worker_target,
  owner_agent_id: row.owner_agent_id ?? undefined,
  derived_from: row.derived_from ?? undefined,
  created_at: new Date(row.created_at).toISOString(),
});
