// Heads: what each agent does now, the youngest agent first.
import type { Page } from "@/server/contract/page";
import type { HeadQuery, HeadState } from "@/server/contract/state";
import { AT, type Place } from "../cardbox/page-cursor";
import { type Filter, type WalkPieces, walk } from "../cardbox/walk";
import type { Kernel } from "../kernel";
import { liveTurnsSql } from "../live-sql";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";

// Ordered by the agents' age: the order of updated_at would change between two pages. Heads of the agents that are looked at are
// read one by one: joined, all of a project were.
const LIST = (p: WalkPieces) => `
  SELECT h.agent_id, h.status, h.turn_epoch, h.active_agent_turn_id, h.profile_box_id,
    coalesce(h.context_box_id, h.memory_context_box_id) AS context_box_id,
    coalesce(h.output_box_id, h.last_output_box_id) AS output_box_id, h.parent_step_id, h.trace_id, h.waiting_tool_count,
    h.resume_deadline, h.lease_holder, h.heartbeat_at, h.updated_at, ${AT("h.created_at")}
  FROM (
    SELECT h.agent_id, h.status, h.turn_epoch, h.active_agent_turn_id, h.profile_box_id, h.context_box_id, h.output_box_id,
      h.parent_step_id, h.trace_id, h.waiting_tool_count, h.resume_deadline, h.lease_holder, h.heartbeat_at, h.updated_at, a.created_at,
      a.memory_context_box_id, a.last_output_box_id FROM (
      SELECT a.agent_id, a.created_at, a.memory_context_box_id, a.last_output_box_id FROM resource.project_agents a WHERE a.project_id = $1 AND ${p.within}
      ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.window}
    ) a CROSS JOIN LATERAL (
      SELECT h.agent_id, h.status, h.turn_epoch, h.active_agent_turn_id, h.profile_box_id, h.context_box_id, h.output_box_id,
        h.parent_step_id, h.trace_id, h.waiting_tool_count, h.resume_deadline, h.lease_holder, h.heartbeat_at, h.updated_at
      FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = a.agent_id OFFSET 0
    ) h WHERE ${p.where}
    ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.limit}
  ) h
  ORDER BY h.created_at DESC, h.agent_id DESC`;
const END = (p: WalkPieces) => `
  SELECT a.agent_id AS id, ${AT("a.created_at")} FROM (SELECT a.agent_id, a.created_at FROM resource.project_agents a WHERE a.project_id = $1 AND ${p.within}
    ORDER BY a.created_at DESC, a.agent_id DESC OFFSET ${p.window} - 1 LIMIT 2) a ORDER BY a.created_at DESC, a.agent_id DESC`;

/** Only agents of live turns. */
const BUSY = (turns: string, condition: string) => `a.agent_id = ANY (ARRAY(
  SELECT t.agent_id FROM ${turns} o CROSS JOIN LATERAL (SELECT t.agent_id FROM state.agent_turns t WHERE t.project_id = $1
    AND t.agent_turn_id = o.agent_turn_id AND ${condition} AND t.ended_at IS NULL AND NOT t.is_human OFFSET 0) t))`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listHeads(kernel: Kernel, query: HeadQuery & { project_id: string }): Promise<Page<HeadState>> {
  await readProject(kernel, query.project_id);
  const isIdle = query.status === "idle";
  const byStatus: Filter[] = [[BUSY(liveTurnsSql("$1"), "t.status = ?"), isIdle ? undefined : query.status]];
  const { rows, next_cursor } = await walk<PageRow<HeadState>>({
    ...query,
    cursor: query.cursor,
    time: "a.created_at",
    id: "a.agent_id",
    idOf: (head) => head.agent_id,
    keyed: [
      ["a.agent_id = ?", query.agent_id],
      [BUSY("(SELECT ?::text AS agent_turn_id)", "t.status <> 'queued'"), query.agent_turn_id],
      ...byStatus,
    ],
    asked: [
      ["h.status = ?", isIdle ? query.status : undefined],
      ["h.trace_id = ?", query.trace_id],
    ],
    rows: (pieces, values) => read<PageRow<HeadState>>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => withoutNulls<HeadState>(row)), next_cursor };
}
