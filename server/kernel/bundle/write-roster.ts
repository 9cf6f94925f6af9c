// Agents, profiles and tools of a run that was brought along. A person is one person wherever they are; another agent of the same id
// must be the same one. Profiles and tools go by their names: those that the project has stay as they are.
import type { AgentLine, IdentityLine, ProfileLine, ToolLine } from "@/server/contract/bundle/store-lines";
import { columnsOf } from "../columns";
import { insertAgents } from "../roster/insert-agents";
import { insertProfiles } from "../roster/insert-profiles";
import { IDENTITY_COLUMNS, TOOL_COLUMNS } from "./columns";
import { partsOf } from "./parts-of";
import { type BundleSource, taken, type Writing, withoutNulls } from "./writing";

const KNOWN = `
  SELECT agent_id, profile_box_id, profile_name, worker_target, is_human FROM resource.project_agents
  WHERE project_id = $1 AND agent_id = ANY ($2)`;
const TOOLS = `
  INSERT INTO resource.tools (project_id, ${TOOL_COLUMNS.join(", ")}, created_at)
  SELECT $1, ${columnsOf(TOOL_COLUMNS, "g")}, g.created_at FROM jsonb_to_recordset($2::jsonb) AS g(tool_name text,
    description text, parameters jsonb, target_subject text, after_execution text, options jsonb, created_at timestamptz)
  ON CONFLICT DO NOTHING`;

const IDENTITIES = `
  INSERT INTO state.identity_extra (project_id, ${IDENTITY_COLUMNS.join(", ")}, created_at)
  SELECT $1, ${columnsOf(IDENTITY_COLUMNS, "g")}, g.created_at
  FROM jsonb_populate_recordset(NULL::state.identity_extra, $2::jsonb) AS g
  WHERE NOT EXISTS (SELECT 1 FROM state.identity_edges e WHERE e.project_id = $1 AND e.target_agent_id = g.target_agent_id AND e.edge_id = g.edge_id)
  ON CONFLICT DO NOTHING RETURNING edge_id`;
// An agent that was here tells its edge itself; any other edge is found by its key.
const IDENTITIES_KNOWN = `
  SELECT edge_id, action, target_agent_id FROM state.identity_extra WHERE project_id = $1 AND edge_id = ANY ($2)
  UNION ALL
  SELECT edge_id, action, target_agent_id FROM state.identity_edges
  WHERE project_id = $1 AND target_agent_id = ANY ($3) AND edge_id = ANY ($2)`;

type Known = Pick<AgentLine, "agent_id" | "profile_box_id" | "profile_name" | "worker_target" | "is_human">;

/** `fresh`: agents that were not there. */
export async function writeRoster(writing: Writing): Promise<{ fresh: Set<string>; known: number }> {
  const { unit, project_id, source } = writing;
  const fresh = new Set<string>();
  let known = 0;
  for await (const profiles of partsOf<ProfileLine>(source.lines("profiles.jsonl")))
    await insertProfiles(unit, {
      project_id,
      profiles: profiles.map((line) => ({ ...line, description: line.description ?? undefined })),
    });
  for await (const agents of partsOf<AgentLine>(source.lines("agents.jsonl"))) {
    const made = await insertAgents(unit, {
      project_id,
      agents: agents.map((agent) => newAgent(agent, source.version)),
    });
    for (const { agent_id } of made) fresh.add(agent_id);
    const others = agents.filter((agent) => !fresh.has(agent.agent_id));
    if (others.length > 0) await compare(writing, others);
    known += others.length;
  }
  for await (const edges of partsOf<IdentityLine>(source.lines("identity_edges.jsonl")))
    await writeIdentities(writing, edges);
  for await (const tools of partsOf<ToolLine>(source.lines("tools.jsonl"))) {
    const rows = tools.map((tool) => ({
      ...tool,
      target_subject: tool.target_subject?.replace("{project}", project_id),
    }));
    await unit.query("bundle_tools_add", TOOLS, [project_id, JSON.stringify(rows)]);
  }
  return { fresh, known };
}

/** Version 1 says nothing of how an agent came to be. */
const newAgent = (
  { is_human, display_name, owner_agent_id, derived_from, ...line }: AgentLine,
  version: BundleSource["version"],
) => ({
  ...line,
  has_edges: version > 1 && !is_human,
  ...(is_human && { is_human: true as const }),
  display_name: display_name ?? undefined,
  owner_agent_id: owner_agent_id ?? undefined,
  derived_from: derived_from ?? undefined,
  action: "provision" as const,
});

async function compare({ unit, project_id }: Writing, agents: AgentLine[]): Promise<void> {
  const ids = agents.map((agent) => agent.agent_id);
  const rows = await unit.query<Known>("bundle_agents_known", KNOWN, [project_id, ids]);
  const there = new Map(rows.map((row) => [row.agent_id, row]));
  for (const agent of agents) {
    const row = there.get(agent.agent_id);
    const isSame =
      row?.is_human === agent.is_human &&
      (row.is_human ||
        (row.profile_box_id === agent.profile_box_id &&
          row.profile_name === agent.profile_name &&
          row.worker_target === agent.worker_target));
    if (!isSame) throw taken("agent", agent.agent_id);
  }
}

/** Two runs of one agent bring the same edges. */
async function writeIdentities({ unit, project_id }: Writing, edges: IdentityLine[]): Promise<void> {
  const values = [project_id, JSON.stringify(edges.map(withoutNulls))];
  const made = await unit.query<{ edge_id: string }>("bundle_identities_add", IDENTITIES, values);
  const fresh = new Set(made.map((row) => row.edge_id));
  const others = edges.filter((edge) => !fresh.has(edge.edge_id));
  if (others.length === 0) return;
  const ids = others.map((edge) => edge.edge_id);
  const rows = await unit.query<Pick<IdentityLine, "edge_id" | "action" | "target_agent_id">>(
    "bundle_identities_known",
    IDENTITIES_KNOWN,
    [project_id, ids, others.map((edge) => edge.target_agent_id)],
  );
  const there = new Map(rows.map((row) => [row.edge_id, row]));
  for (const { edge_id, action, target_agent_id } of others) {
    const row = there.get(edge_id);
    if (row?.action !== action || row.target_agent_id !== target_agent_id) throw taken("edge", edge_id);
  }
}
