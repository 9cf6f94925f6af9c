// New agents, set-wise: roster rows and frames in one statement whatever their number. The row says how its agent came to be, so it
// is the identity edge too, and what turn its agent has, so it is the head.

import { byKind } from "../by-kind";
import { columnsOf } from "../columns";
import { toldAgentsSql } from "../journal/told";
import type { Unit } from "../unit";
import { AGENT_COLUMNS } from "./agent-row";

export type NewAgentRow = {
  agent_id: string;
  profile_box_id: string;
  profile_name: string;
  worker_target: string;
  tags: string[];
  display_name?: string;
  owner_agent_id?: string;
  derived_from?: string;
  metadata?: Record<string, unknown>;
  /** Of a run that was brought along; absent = now. */
  created_at?: string;
  /** A person: said by launches and imports, never by a client. */
  is_human?: true;
  action: "provision" | "derive";
  source_agent_id?: string;
  trace_id?: string;
  parent_step_id?: string;
  /** The turn that it is made for, which is written as leased in this unit (enqueueTurns); absent = it is idle. */
  first_turn?: string;
  /** How it came to be is written with what was brought along. */
  has_edges?: boolean;
};

const INSERT = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(kind int, agent_id text, tags text[], trace_id text, created_at timestamptz,
      first_turn text)
    JOIN jsonb_to_recordset($3::jsonb) AS k(kind int, profile_box_id text, profile_name text, worker_target text,
      display_name text, owner_agent_id text, derived_from text, metadata jsonb, action text, source_agent_id text,
      parent_step_id text, has_edges boolean, is_human boolean) USING (kind)
  ), made AS (
    INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, tags,
      display_name, owner_agent_id, derived_from, metadata, last_seen_at, is_human, created_at, made_action, made_by, made_trace_id,
      made_step_id, turn_epoch, active_turn)
    SELECT $1, agent_id, profile_box_id, profile_name, worker_target, coalesce(tags, '{}'), display_name, owner_agent_id,
      derived_from, coalesce(metadata, '{}'), CASE WHEN first_turn IS NOT NULL THEN now() END, coalesce(is_human, false),
      coalesce(created_at, now()), CASE WHEN has_edges IS NOT TRUE THEN action END, CASE WHEN has_edges IS NOT TRUE THEN source_agent_id END,
      CASE WHEN has_edges IS NOT TRUE THEN lower(trace_id) END, CASE WHEN has_edges IS NOT TRUE THEN parent_step_id END,
      (first_turn IS NOT NULL)::int, first_turn
    FROM given
    ON CONFLICT DO NOTHING
    RETURNING ${columnsOf(AGENT_COLUMNS, "project_agents")}
  ), ${toldAgentsSql(`
    SELECT project_id, ROW (agent_id, profile_name, worker_target, display_name, owner_agent_id, derived_from, created_at,
      rev)::state.told_agent AS told FROM made`)}
  SELECT agent_id FROM made`;

/** What most agents of a fork share: sent once for each kind. */
const sharedOf = (agent: NewAgentRow) => ({
  profile_box_id: agent.profile_box_id,
  profile_name: agent.profile_name,
  worker_target: agent.worker_target,
  display_name: agent.display_name,
  owner_agent_id: agent.owner_agent_id,
  derived_from: agent.derived_from,
  metadata: agent.metadata,
  action: agent.action,
  source_agent_id: agent.source_agent_id,
  parent_step_id: agent.parent_step_id,
  has_edges: agent.has_edges,
  is_human: agent.is_human,
});

const restOf = ({ agent_id, tags, trace_id, created_at, first_turn }: NewAgentRow, kind: number) => ({
  kind,
  agent_id,
  tags,
  trace_id,
  created_at,
  first_turn,
});

/** Those that were there already are not touched and not answered. */
export async function insertAgents(
  unit: Unit,
  input: { project_id: string; agents: NewAgentRow[] },
): Promise<{ agent_id: string }[]> {
  const { project_id, agents } = input;
  if (agents.length === 0) return [];
  const { rows, kinds } = byKind(agents, sharedOf, restOf);
  const values = [project_id, JSON.stringify(rows), JSON.stringify(kinds)];
  const made = await unit.query<{ agent_id: string }>("agent_insert", INSERT, values);
  if (made.length > 0) unit.ring({ kind: "journal", project_id });
  return made;
}
