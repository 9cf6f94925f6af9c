// Heads: what each agent does now, the youngest agent first.
import type { Page } from "@/server/contract/page";
import type { HeadQuery, HeadState } from "@/server/contract/state";
import { AT, parsePageCursor } from "../cardbox/page-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, pageOfRows } from "./page-of-rows";

// Ordered by the agents' age: the order of updated_at would change between two pages.
const LIST = `
  SELECT h.agent_id, h.status, h.turn_epoch, h.active_agent_turn_id, h.profile_box_id,
    coalesce(h.context_box_id, p.memory_context_box_id) AS context_box_id,
    coalesce(h.output_box_id, p.last_output_box_id) AS output_box_id, h.parent_step_id, h.trace_id, h.waiting_tool_count,
    h.resume_deadline, h.lease_holder, h.heartbeat_at, h.updated_at, ${AT("a.created_at")}
  FROM state.agent_state_head h
  JOIN resource.project_agents a USING (project_id, agent_id)
  LEFT JOIN state.agent_state_pointers p USING (project_id, agent_id)
  WHERE h.project_id = $1 AND ($2::text IS NULL OR h.agent_id = $2) AND ($3::text IS NULL OR h.active_agent_turn_id = $3)
    AND ($4::text IS NULL OR h.status = $4) AND ($5::text IS NULL OR h.trace_id = $5)
    AND ($6::timestamptz IS NULL OR (a.created_at, a.agent_id) < ($6::timestamptz, $7::text))
  ORDER BY a.created_at DESC, a.agent_id DESC LIMIT $8`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listHeads(kernel: Kernel, query: HeadQuery & { project_id: string }): Promise<Page<HeadState>> {
  const { project_id, limit } = query;
  await readProject(kernel, project_id);
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<PageRow<HeadState>>(kernel, "state_heads", LIST, [
    project_id,
    query.agent_id ?? null,
    query.agent_turn_id ?? null,
    query.status ?? null,
    query.trace_id ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ]);
  return pageOfRows<HeadState>(query, rows, (head) => head.agent_id);
}
