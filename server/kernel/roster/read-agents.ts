// The roster with each agent's head and queue.
import type { Agent } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read as readTimed } from "../reader";
import { AGENT_COLUMNS } from "./agent-row";
import { readProject } from "./read-project";

const READ = `
  SELECT ${columnsOf(AGENT_COLUMNS, "a")}, p.last_output_box_id,
    jsonb_strip_nulls(jsonb_build_object('status', h.status, 'active_agent_turn_id', h.active_agent_turn_id, 'turn_epoch', h.turn_epoch,
      'waiting_tool_count', h.waiting_tool_count, 'lease_holder', h.lease_holder, 'heartbeat_at', h.heartbeat_at, 'updated_at', h.updated_at)) AS head,
    (SELECT count(*)::int FROM state.agent_inbox i
      WHERE i.project_id = a.project_id AND i.agent_id = a.agent_id AND i.status = 'queued') AS queued_count
  FROM resource.project_agents a
  JOIN state.agent_state_head h USING (project_id, agent_id)
  LEFT JOIN state.agent_state_pointers p USING (project_id, agent_id)
  WHERE a.project_id = $1 AND ($2::text[] IS NULL OR a.agent_id = ANY ($2))
    AND ($3::text IS NULL OR a.profile_name = $3) AND ($4::text IS NULL OR a.worker_target = $4)
    AND ($5::text IS NULL OR (a.created_at, a.agent_id) < (SELECT created_at, agent_id FROM resource.project_agents WHERE project_id = $1 AND agent_id = $5))
    AND ($7::text IS NULL OR concat_ws(' ', a.agent_id, a.display_name, a.profile_name, a.worker_target) ILIKE $7)
  ORDER BY a.created_at DESC, a.agent_id DESC
  LIMIT $6`;

export type AgentQuery = {
  project_id: string;
  profile_name?: string;
  worker_target?: string;
  /** Only these. */
  agent_ids?: string[];
  /** Found in the id, the name, the profile or the worker target. */
  words?: string;
  after_agent_id?: string;
  limit?: number;
};

/** Newest first; people are agents too. */
export async function listAgents(kernel: Kernel, query: AgentQuery): Promise<Agent[]> {
  await readProject(kernel, query.project_id);
  return read(kernel, [
    query.project_id,
    query.agent_ids ?? null,
    query.profile_name ?? null,
    query.worker_target ?? null,
    query.after_agent_id ?? null,
    query.limit ?? 500,
    query.words ? `%${query.words.replace(/[\\%_]/g, "\\$&")}%` : null,
  ]);
}

/** not_found for an unknown agent and for one of another project alike. */
export async function readAgent(kernel: Kernel, input: { project_id: string; agent_id: string }): Promise<Agent> {
  const [agent] = await read(kernel, [input.project_id, [input.agent_id], null, null, null, 1, null]);
  if (!agent) throw new KernelError("not_found", `agent ${input.agent_id} not found in project ${input.project_id}`);
  return agent;
}

type Row = { [K in keyof Agent]-?: undefined extends Agent[K] ? Exclude<Agent[K], undefined> | null : Agent[K] };

async function read(kernel: Kernel, values: unknown[]): Promise<Agent[]> {
  const rows = await readTimed<Row>(kernel, "agent_read", READ, values);
  return rows.map((row) => {
    const kept = Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null)) as Agent;
    return { ...kept, head: { ...row.head, updated_at: new Date(row.head.updated_at).toISOString() } };
  });
}
