// The agents of a run, how they came to be, their profiles, and the external tools that the profiles name.
import type { AgentLine, IdentityLine, ProfileLine, ToolLine } from "@/server/contract/bundle/store-lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { AGENT_COLUMNS, IDENTITY_COLUMNS, PROFILE_COLUMNS, TOOL_COLUMNS, usSql } from "./columns";
import { type Gathered, pagesOf, sorted } from "./gathered";
import type { Piece, RunKey } from "./piece";

const PAGE = 200;

const AGENTS = `
  SELECT ${columnsOf(AGENT_COLUMNS, "a")}, ${usSql("a.created_at")} AS created_at
  FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = ANY ($2) ORDER BY a.agent_id COLLATE "C"`;
// Profiles of people are the program's own and are in every project.
const PROFILES = `
  SELECT ${columnsOf(PROFILE_COLUMNS, "p")}, ${usSql("p.created_at")} AS created_at
  FROM resource.profiles p WHERE p.project_id = $1 AND p.profile_box_id = ANY ($2) AND p.name !~* '^sys[.]'
  ORDER BY p.profile_box_id COLLATE "C"`;
const TOOLS = `
  SELECT ${columnsOf(TOOL_COLUMNS, "o")}, ${usSql("o.created_at")} AS created_at
  FROM resource.tools o WHERE o.project_id = $1 AND o.tool_name IN (
    SELECT jsonb_array_elements_text(c.content -> 'data' -> 'tools') FROM card_box_chunks k
    JOIN cards c ON c.tenant_id = $1 AND c.card_id = ANY (k.card_ids)
    WHERE k.tenant_id = $1 AND k.box_id = ANY ($2) AND c.metadata ->> 'type' = 'sys.profile'
      AND jsonb_typeof(c.content -> 'data' -> 'tools') = 'array')
  ORDER BY o.tool_name COLLATE "C"`;

const IDENTITIES = `
  SELECT ${columnsOf(IDENTITY_COLUMNS, "e")}, ${usSql("e.created_at")} AS created_at FROM state.identity_edges e
  WHERE e.project_id = $1 AND e.target_agent_id = ANY ($2) ORDER BY e.target_agent_id COLLATE "C", e.edge_id COLLATE "C"`;

export async function* readRoster(reader: Reader, { project_id }: RunKey, gathered: Gathered): AsyncGenerator<Piece> {
  const own = new Set(gathered.agents);
  const profileBoxes = new Set<string>();
  const people = new Set<string>();
  for (const ids of pagesOf(sorted(own), PAGE))
    for (const line of await read<AgentLine>(reader, "bundle_agents", AGENTS, [project_id, ids])) {
      if (line.is_human) people.add(line.agent_id);
      const seen = line.is_human ? gathered.people.get(line.agent_id) : undefined;
      const { profile_box_id } = seen ?? line;
      gathered.boxes.add(profile_box_id);
      profileBoxes.add(profile_box_id);
      yield { part: "agents.jsonl", line: { ...line, ...seen, ...withinRun(line, own) } };
    }
  const others = sorted(own).filter((id) => !people.has(id));
  for (const ids of pagesOf(others, PAGE))
    for (const line of await read<IdentityLine>(reader, "bundle_identities", IDENTITIES, [project_id, ids])) {
      const source_agent_id = own.has(line.source_agent_id ?? "") ? line.source_agent_id : null;
      yield { part: "identity_edges.jsonl", line: { ...line, source_agent_id } };
    }
  for (const ids of pagesOf(sorted(profileBoxes), PAGE))
    for (const line of await read<ProfileLine>(reader, "bundle_profiles", PROFILES, [project_id, ids]))
      yield { part: "profiles.jsonl", line };
  const told = new Set<string>();
  for (const ids of pagesOf(sorted(profileBoxes), PAGE))
    for (const line of await read<ToolLine>(reader, "bundle_tools", TOOLS, [project_id, ids])) {
      if (told.has(line.tool_name)) continue;
      told.add(line.tool_name);
      yield { part: "tools.jsonl", line: { ...line, target_subject: withoutProject(line.target_subject, project_id) } };
    }
}

/** Whoever made it may belong to another run. */
const withinRun = ({ owner_agent_id, derived_from }: AgentLine, own: ReadonlySet<string>) => ({
  owner_agent_id: own.has(owner_agent_id ?? "") ? owner_agent_id : null,
  derived_from: own.has(derived_from ?? "") ? derived_from : null,
});

/** A tool's subject names its project, and the bundle may go to another one. */
function withoutProject(subject: string | null, project_id: string): string | null {
  const [root, version, project, ...rest] = subject?.split(".") ?? [];
  return root === "cg" && project === project_id ? [root, version, "{project}", ...rest].join(".") : subject;
}
