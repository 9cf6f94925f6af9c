// Agents as people read them: what each does now, how often it ran, who made it.
import type { Agent } from "@/server/contract/agent";
import type { AgentLine, AgentPage, TurnRef } from "@/server/contract/line";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type AgentQuery, listAgents } from "../roster/read-agents";
import { readModelless } from "./read-unserved";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

const COUNTS = `
  SELECT g.agent_id, (SELECT count(*)::int FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = g.agent_id) AS turn_count
  FROM unnest($2::text[]) AS g(agent_id)`;
const ACTIVE = `SELECT ${TURN_REF} FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2)`;
const NAMES = `SELECT agent_id, profile_name FROM resource.project_agents WHERE project_id = $1 AND agent_id = ANY ($2)`;

/** Newest first. not_found for an unknown project. */
export async function listAgentLines(kernel: Kernel, query: AgentQuery & { limit: number }): Promise<AgentPage> {
  const live_cursor = await readCursor(kernel, query.project_id);
  const page = await listAgents(kernel, query);
  return { items: await withNames(kernel, query.project_id, page.items), live_cursor, next_cursor: page.next_cursor };
}

export async function withNames(kernel: Kernel, project_id: string, agents: Agent[]): Promise<AgentLine[]> {
  const others = [...new Set(agents.flatMap((a) => [a.owner_agent_id ?? [], a.derived_from ?? []].flat()))];
  const ids = agents.map((a) => a.agent_id);
  const active = agents.flatMap((a) => a.head.active_agent_turn_id ?? []);
  const [counts, turns, names, modelless] = await Promise.all([
    read<{ agent_id: string; turn_count: number }>(kernel, "agent_turn_counts", COUNTS, [project_id, ids]),
    read<TurnRefRow>(kernel, "agent_active_turns", ACTIVE, [project_id, active]),
    read<{ agent_id: string; profile_name: string }>(kernel, "agent_names", NAMES, [project_id, others]),
    readModelless(kernel, { project_id, profile_box_ids: agents.map((a) => a.profile_box_id) }),
  ]);
  const countOf = new Map(counts.map((row) => [row.agent_id, row.turn_count]));
  const turnOf = new Map<string, TurnRef>(turns.map((row) => [row.agent_turn_id, turnRef(row)]));
  const nameOf = new Map(names.map((row) => [row.agent_id, row.profile_name]));
  return agents.map((agent) => ({
    ...agent,
    turn_count: countOf.get(agent.agent_id) ?? 0,
    needs_own_worker: modelless.has(agent.profile_box_id),
    active_turn: turnOf.get(agent.head.active_agent_turn_id ?? ""),
    owner_profile_name: nameOf.get(agent.owner_agent_id ?? ""),
    derived_profile_name: nameOf.get(agent.derived_from ?? ""),
  }));
}
