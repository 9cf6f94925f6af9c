// Who made whom: provisioned and derived agents, the newest first.
import type { Page } from "@/server/contract/page";
import type { IdentityEdge, IdentityEdgeQuery } from "@/server/contract/state";
import { AT, parsePageCursor } from "../cardbox/page-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, pageOfRows } from "./page-of-rows";

const LIST = `
  SELECT e.edge_id, e.action, e.source_agent_id, e.target_agent_id, e.trace_id, e.parent_step_id, e.metadata, e.created_at,
    ${AT("e.created_at")}
  FROM state.identity_edges e
  WHERE e.project_id = $1 AND ($2::text IS NULL OR $2 IN (e.source_agent_id, e.target_agent_id))
    AND ($3::text IS NULL OR e.action = $3) AND ($4::text IS NULL OR e.trace_id = $4)
    AND ($5::text IS NULL OR e.parent_step_id = $5)
    AND ($6::timestamptz IS NULL OR (e.created_at, e.edge_id) < ($6::timestamptz, $7::text))
  ORDER BY e.created_at DESC, e.edge_id DESC LIMIT $8`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listIdentityEdges(
  kernel: Kernel,
  query: IdentityEdgeQuery & { project_id: string },
): Promise<Page<IdentityEdge>> {
  const { project_id, limit } = query;
  await readProject(kernel, project_id);
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<PageRow<IdentityEdge>>(kernel, "state_identity_edges", LIST, [
    project_id,
    query.agent_id ?? null,
    query.action ?? null,
    query.trace_id ?? null,
    query.parent_step_id ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ]);
  return pageOfRows<IdentityEdge>(query, rows, (edge) => edge.edge_id);
}
