// Who made whom: provisioned and derived agents, the newest first.
import type { Page } from "@/server/contract/page";
import type { IdentityEdge, IdentityEdgeQuery } from "@/server/contract/state";
import { AT, formatPageCursor, type Place, parsePageCursor } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";

const COLUMNS =
  "e.edge_id, e.action, e.source_agent_id, e.target_agent_id, e.trace_id, e.parent_step_id, e.metadata, e.created_at";
// The kernel mints all of their ids, in the order of time, and the primary key has them.
const LIST = (p: WalkPieces) => `
  SELECT ${COLUMNS}, ${AT("e.created_at")} FROM (
    SELECT ${COLUMNS} FROM state.identity_edges e WHERE e.project_id = $1 AND ${p.within}
    ORDER BY e.edge_id DESC LIMIT ${p.window}
  ) e WHERE ${p.where} ORDER BY e.edge_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT e.edge_id AS id, ${AT("e.created_at")} FROM (SELECT e.edge_id, e.created_at FROM state.identity_edges e WHERE e.project_id = $1 AND ${p.within}
    ORDER BY e.edge_id DESC OFFSET ${p.window} - 1 LIMIT 2) e ORDER BY e.edge_id DESC`;

// One list of ids from two indexes: with OR between them, the edges of all agents were read.
const OF_AGENT = `e.edge_id = ANY (ARRAY(
  SELECT s.edge_id FROM state.identity_edges s WHERE s.project_id = $1 AND s.source_agent_id = ?
  UNION SELECT t.edge_id FROM state.identity_edges t WHERE t.project_id = $1 AND t.target_agent_id = ?))`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listIdentityEdges(
  kernel: Kernel,
  query: IdentityEdgeQuery & { project_id: string },
): Promise<Page<IdentityEdge>> {
  const place = parsePageCursor(query.project_id, query.cursor);
  await readProject(kernel, query.project_id);
  const { rows, next_cursor } = await walk<PageRow<IdentityEdge>>({
    ...query,
    cursor: query.cursor,
    own: { after: [["e.edge_id < ?::text", place?.id]], cursorOf: (at) => formatPageCursor(query.project_id, at) },
    time: "e.created_at",
    id: "e.edge_id",
    idOf: (edge) => edge.edge_id,
    keyed: [[OF_AGENT, query.agent_id, query.agent_id]],
    asked: [
      ["e.action = ?", query.action],
      ["e.trace_id = ?", query.trace_id],
      ["e.parent_step_id = ?", query.parent_step_id],
    ],
    rows: (pieces, values) => read<PageRow<IdentityEdge>>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => withoutNulls<IdentityEdge>(row)), next_cursor };
}
