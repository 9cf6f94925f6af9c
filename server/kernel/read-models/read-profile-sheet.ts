// One profile as its page needs it: whole, with the agents that run on it and which of them keep an older version.
import { namesModel, type ProfileAgent, type ProfileSheet } from "@/server/contract/profile";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProfile } from "../roster/read-profile";

const AGENTS_MAX = 100;

const AGENTS = `
  SELECT a.agent_id, a.display_name, h.status AS head_status, a.profile_box_id = $3 AS is_current
  FROM (
    SELECT a.agent_id, a.display_name, a.profile_box_id, a.created_at FROM resource.project_agents a
    WHERE a.project_id = $1 AND a.profile_name = $2 ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${AGENTS_MAX}
  ) a
  CROSS JOIN LATERAL (SELECT h.status FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = a.agent_id OFFSET 0) h
  ORDER BY a.created_at DESC, a.agent_id DESC`;

type AgentRow = Omit<ProfileAgent, "display_name"> & { display_name: string | null };

/** not_found for an unknown name and for one of another project alike. */
export async function readProfileSheet(
  kernel: Kernel,
  input: { project_id: string; name: string },
): Promise<ProfileSheet> {
  const live_cursor = await readCursor(kernel, input.project_id);
  const profile = await readProfile(kernel, input);
  const agents = await read<AgentRow>(kernel, "profile_agents", AGENTS, [
    input.project_id,
    profile.name,
    profile.profile_box_id,
  ]);
  return {
    ...profile,
    needs_own_worker: !namesModel(profile.body.llm_config ?? {}),
    agents: agents.map((row) => ({ ...row, display_name: row.display_name ?? undefined })),
    live_cursor,
  };
}
