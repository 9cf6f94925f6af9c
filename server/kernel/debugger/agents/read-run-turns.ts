// What the agents of a run are summed up from: its turns, the requests of their steps, the agents, and who made whom.
import type { IdentityEdge } from "@/server/contract/state";
import type { TurnStatus } from "@/server/contract/turn";
import { type Reader, read } from "../../reader";

export const TURNS_MAX = 5_000;
export const REQUESTS_MAX = 20_000;

const TURNS = `
  SELECT t.agent_turn_id, t.agent_id, t.headcode, t.status, t.parent_turn_id, p.agent_id AS caller_agent_id,
    t.context_tokens::float8 AS context_tokens, t.fullest_tokens, t.window_tokens
  FROM state.agent_turns t
  LEFT JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id
  WHERE t.project_id = $1 AND t.root_turn_id = $2 ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${TURNS_MAX}`;

const REQUESTS = `
  SELECT s.agent_turn_id, s.step_id, s.ordinal, s.started_at, s.request_tokens, b.length AS cards FROM state.agent_steps s
  LEFT JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = s.request_box_id
  WHERE s.project_id = $1 AND s.agent_turn_id = ANY ($2::text[]) AND s.request_tokens IS NOT NULL
  ORDER BY s.started_at DESC, s.ordinal DESC LIMIT ${REQUESTS_MAX}`;

const AGENTS = `
  SELECT a.agent_id, coalesce(nullif(a.display_name, ''), a.profile_name) AS name, a.profile_name, a.is_human FROM resource.project_agents a
  WHERE a.project_id = $1 AND a.agent_id = ANY ($2::text[])`;

const IDENTITY = `
  SELECT DISTINCT e.action, e.source_agent_id, e.target_agent_id FROM state.identity_edges e
  WHERE e.project_id = $1 AND e.target_agent_id = ANY ($2::text[]) AND e.source_agent_id = ANY ($2::text[])
  ORDER BY e.source_agent_id, e.target_agent_id, e.action`;

export type RunTurnRow = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  status: TurnStatus;
  parent_turn_id: string | null;
  caller_agent_id: string | null;
  context_tokens: number;
  fullest_tokens: number | null;
  window_tokens: number | null;
};
export type RequestRow = {
  agent_turn_id: string;
  step_id: string;
  ordinal: number;
  started_at: string;
  request_tokens: number;
  /** null = the request is not stored. */
  cards: number | null;
};
export type AgentRow = { agent_id: string; name: string; profile_name: string; is_human: boolean };
export type IdentityRow = { action: IdentityEdge["action"]; source_agent_id: string; target_agent_id: string };

/** Newest first. */
export const readRunTurns = (
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<RunTurnRow[]> => read<RunTurnRow>(reader, "agents_turns", TURNS, [project_id, root_turn_id]);

/** Newest first. */
export const readRequests = (reader: Reader, project_id: string, turn_ids: readonly string[]): Promise<RequestRow[]> =>
  read<RequestRow>(reader, "agents_requests", REQUESTS, [project_id, turn_ids]);

export const readNames = (reader: Reader, project_id: string, agent_ids: readonly string[]): Promise<AgentRow[]> =>
  read<AgentRow>(reader, "agents_names", AGENTS, [project_id, agent_ids]);

export const readKinship = (reader: Reader, project_id: string, agent_ids: readonly string[]): Promise<IdentityRow[]> =>
  read<IdentityRow>(reader, "agents_kinship", IDENTITY, [project_id, agent_ids]);
