// The roster with each agent's head and queue.
import type { Agent } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import { AT, type Place } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read as readTimed, UNPREPARED } from "../reader";
import { AGENT_COLUMNS } from "./agent-row";
import { readProject } from "./read-project";

// Heads and queues of the agents on the page alone: joined, those of all agents were read.
const READ = (p: WalkPieces) => `
  SELECT ${columnsOf(AGENT_COLUMNS, "a")}, ${AT("a.created_at")}, a.last_output_box_id,
    jsonb_strip_nulls(jsonb_build_object('status', h.status, 'active_agent_turn_id', h.active_agent_turn_id, 'turn_epoch', h.turn_epoch,
      'waiting_tool_count', h.waiting_tool_count, 'lease_holder', h.lease_holder, 'heartbeat_at', h.heartbeat_at, 'updated_at', h.updated_at)) AS head,
    (SELECT count(*)::int FROM state.due d WHERE d.project_id = $1 AND d.queued_for = a.agent_id) AS queued_count
  FROM (
    SELECT ${columnsOf(AGENT_COLUMNS, "a")}, a.last_output_box_id FROM (
      SELECT ${columnsOf(AGENT_COLUMNS, "a")}, a.last_output_box_id FROM resource.project_agents a WHERE a.project_id = $1 AND ${p.within}
      ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.window}
    ) a WHERE ${p.where} ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.limit}
  ) a
  CROSS JOIN LATERAL (SELECT h.status, h.active_agent_turn_id, h.turn_epoch, h.waiting_tool_count, h.lease_holder, h.heartbeat_at, h.updated_at
    FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = a.agent_id OFFSET 0) h
  ORDER BY a.created_at DESC, a.agent_id DESC`;
const END = (p: WalkPieces) => `
  SELECT a.agent_id AS id, ${AT("a.created_at")} FROM (SELECT a.agent_id, a.created_at FROM resource.project_agents a WHERE a.project_id = $1 AND ${p.within}
    ORDER BY a.created_at DESC, a.agent_id DESC OFFSET ${p.window} - 1 LIMIT 2) a ORDER BY a.created_at DESC, a.agent_id DESC`;
const OLDER = `(a.created_at, a.agent_id) <
  (SELECT o.created_at, o.agent_id FROM resource.project_agents o WHERE o.project_id = $1 AND o.agent_id = ?)`;

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

/**
 * Newest first; people are agents too. A page that filters by profile, target or words looks at so many agents, and may have
 * fewer than asked for, with a cursor.
 */
export async function listAgents(kernel: Kernel, query: AgentQuery): Promise<{ items: Agent[]; next_cursor?: string }> {
  await readProject(kernel, query.project_id);
  return page(kernel, query);
}

/** not_found for an unknown agent and for one of another project alike. */
export async function readAgent(kernel: Kernel, input: { project_id: string; agent_id: string }): Promise<Agent> {
  const { project_id, agent_id } = input;
  const { items } = await page(kernel, { project_id, agent_ids: [agent_id], limit: 1 });
  const [agent] = items;
  if (!agent) throw new KernelError("not_found", `agent ${agent_id} not found in project ${project_id}`);
  return agent;
}

type Row = { [K in keyof Agent]-?: undefined extends Agent[K] ? Exclude<Agent[K], undefined> | null : Agent[K] } & {
  at: string;
};

async function page(kernel: Kernel, query: AgentQuery): Promise<{ items: Agent[]; next_cursor?: string }> {
  const words = query.words ? `%${query.words.replace(/[\\%_]/g, "\\$&")}%` : undefined;
  const { rows, next_cursor } = await walk<Row>({
    project_id: query.project_id,
    limit: query.limit ?? 500,
    cursor: undefined,
    own: { after: [[OLDER, query.after_agent_id]], cursorOf: ({ id }) => id },
    time: "a.created_at",
    id: "a.agent_id",
    idOf: (agent) => agent.agent_id,
    keyed: [["a.agent_id = ANY (?::text[])", query.agent_ids]],
    asked: [
      ["a.profile_name = ?", query.profile_name],
      ["a.worker_target = ?", query.worker_target],
      ["concat_ws(' ', a.agent_id, a.display_name, a.profile_name, a.worker_target) ILIKE ?", words],
    ],
    rows: (pieces, values) => readTimed<Row>(kernel, UNPREPARED, READ(pieces), values),
    end: (pieces, values) => readTimed<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(agentOf), next_cursor };
}

function agentOf({ at: _at, ...row }: Row): Agent {
  const kept = Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null)) as Agent;
  return { ...kept, head: { ...row.head, updated_at: new Date(row.head.updated_at).toISOString() } };
}
