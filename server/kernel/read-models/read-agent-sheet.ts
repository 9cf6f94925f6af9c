// One agent as its page needs it: the line of the list, and who made whom around it.
import type { AgentSheet, IdentityEdge } from "@/server/contract/line";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readAgent } from "../roster/read-agents";
import { withNames } from "./list-agent-lines";

const EDGES_MAX = 100;

const EDGES = `
  SELECT e.edge_id, e.action, e.source_agent_id, s.profile_name AS source_profile_name, e.target_agent_id,
    t.profile_name AS target_profile_name, e.created_at, count(*) OVER ()::int AS total
  FROM state.identity_edges e
  LEFT JOIN resource.project_agents s ON s.project_id = e.project_id AND s.agent_id = e.source_agent_id
  LEFT JOIN resource.project_agents t ON t.project_id = e.project_id AND t.agent_id = e.target_agent_id
  WHERE e.project_id = $1 AND (e.target_agent_id = $2 OR e.source_agent_id = $2)
  ORDER BY (e.target_agent_id = $2) DESC, e.created_at, e.edge_id
  LIMIT ${EDGES_MAX}`;

type Named = "source_agent_id" | "source_profile_name" | "target_profile_name";
type EdgeRow = Omit<IdentityEdge, Named> & { [K in Named]: string | null } & { total: number };

/** not_found for an unknown agent and for one of another project alike. */
export async function readAgentSheet(
  kernel: Kernel,
  input: { project_id: string; agent_id: string },
): Promise<AgentSheet> {
  const { project_id, agent_id } = input;
  const live_cursor = await readCursor(kernel, project_id);
  const agent = await readAgent(kernel, input);
  const [[line], edges] = await Promise.all([
    withNames(kernel, project_id, [agent]),
    read<EdgeRow>(kernel, "agent_identity", EDGES, [project_id, agent_id]),
  ]);
  if (!line) throw new Error("an agent was read and has no line");
  return {
    ...line,
    live_cursor,
    identity_edge_count: edges[0]?.total ?? 0,
    identity_edges: edges.map(edgeOf),
  };
}

const edgeOf = ({ total: _total, ...row }: EdgeRow): IdentityEdge => ({
  ...row,
  source_agent_id: row.source_agent_id ?? undefined,
  source_profile_name: row.source_profile_name ?? undefined,
  target_profile_name: row.target_profile_name ?? undefined,
});
