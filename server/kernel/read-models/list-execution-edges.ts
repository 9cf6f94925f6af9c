// Who caused what: requests and responses between turns, the newest first.
import type { Page } from "@/server/contract/page";
import type { ExecutionEdge, ExecutionEdgeQuery } from "@/server/contract/state";
import { AT, parsePageCursor } from "../cardbox/page-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, pageOfRows } from "./page-of-rows";

const LIST = `
  SELECT e.edge_id, e.primitive, e.edge_phase, e.source_agent_id, e.source_turn_id, e.source_step_id, e.target_agent_id,
    e.target_turn_id, e.root_turn_id, e.correlation_id, e.recursion_depth, e.trace_id, e.parent_step_id, e.is_inferred,
    e.metadata, e.created_at, ${AT("e.created_at")}
  FROM state.execution_edges e
  WHERE e.project_id = $1 AND ($2::text IS NULL OR $2 IN (e.source_agent_id, e.target_agent_id))
    AND ($3::text IS NULL OR e.source_turn_id = $3 OR e.target_turn_id = $3)
    AND ($4::text IS NULL OR e.primitive = $4) AND ($5::text IS NULL OR e.edge_phase = $5)
    AND ($6::text IS NULL OR e.trace_id = $6) AND ($7::text IS NULL OR e.parent_step_id = $7)
    AND ($8::text IS NULL OR e.correlation_id = $8)
    AND ($9::timestamptz IS NULL OR (e.created_at, e.edge_id) < ($9::timestamptz, $10::text))
  ORDER BY e.created_at DESC, e.edge_id DESC LIMIT $11`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listExecutionEdges(
  kernel: Kernel,
  query: ExecutionEdgeQuery & { project_id: string },
): Promise<Page<ExecutionEdge>> {
  const { project_id, limit } = query;
  await readProject(kernel, project_id);
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<PageRow<ExecutionEdge>>(kernel, "state_execution_edges", LIST, [
    project_id,
    query.agent_id ?? null,
    query.agent_turn_id ?? null,
    query.primitive ?? null,
    query.edge_phase ?? null,
    query.trace_id ?? null,
    query.parent_step_id ?? null,
    query.correlation_id ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ]);
  return pageOfRows<ExecutionEdge>(query, rows, (edge) => edge.edge_id);
}
