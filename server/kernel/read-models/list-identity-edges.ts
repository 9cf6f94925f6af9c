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
// By the clock: ids of agents are in no order of time. What changed an agent stands in a table of its own.
const newest = (within: string, rows: string) => `(
    SELECT ${COLUMNS} FROM (SELECT e.edge_id, e.edge_id AS place, e.action, e.source_agent_id, e.target_agent_id, e.trace_id, e.parent_step_id,
      e.metadata, e.created_at FROM state.identity_extra e WHERE e.project_id = $1) e
    WHERE ${within} ORDER BY e.created_at DESC, e.place DESC LIMIT ${rows}
  ) UNION ALL (
    SELECT ${COLUMNS} FROM (SELECT 'edge_' || a.agent_id AS edge_id, a.agent_id AS place, a.made_action AS action, a.made_by AS source_agent_id,
      a.agent_id AS target_agent_id, a.made_trace_id AS trace_id, a.made_step_id AS parent_step_id, '{}'::jsonb AS metadata, a.created_at
      FROM resource.project_agents a WHERE a.project_id = $1 AND a.made_action IS NOT NULL) e
    WHERE ${within} ORDER BY e.created_at DESC, e.place DESC LIMIT ${rows})`;
const LIST = (p: WalkPieces) => `
  SELECT ${COLUMNS}, ${AT("e.created_at")} FROM (
    SELECT ${COLUMNS} FROM (${newest(p.within, `${p.window}`)}) e ORDER BY e.created_at DESC, e.edge_id DESC LIMIT ${p.window}
  ) e WHERE ${p.where} ORDER BY e.created_at DESC, e.edge_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT e.edge_id AS id, ${AT("e.created_at")} FROM (${newest(p.within, `${p.window} + 1`)}) e
  ORDER BY e.created_at DESC, e.edge_id DESC OFFSET ${p.window} - 1 LIMIT 2`;

// Each end by its own index: with OR between them, the edges of all agents were read.
const OF_AGENT = `e.place = ANY (ARRAY(
  SELECT s.edge_id FROM state.identity_extra s WHERE s.project_id = $1 AND s.source_agent_id = ?
  UNION SELECT t.edge_id FROM state.identity_extra t WHERE t.project_id = $1 AND t.target_agent_id = ?
  UNION SELECT ?::text UNION SELECT m.agent_id FROM resource.project_agents m WHERE m.project_id = $1 AND m.made_by = ?))`;

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
    own: {
      // Many agents of one moment are made by a fork or an import; the index begins with the moment.
      after: [
        [
          "e.created_at <= ?::timestamptz AND (e.created_at, e.edge_id) < (?::timestamptz, ?::text)",
          place?.at,
          place?.at,
          place?.id,
        ],
      ],
      cursorOf: (at) => formatPageCursor(query.project_id, at),
    },
    time: "e.created_at",
    id: "e.edge_id",
    idOf: (edge) => edge.edge_id,
    keyed: [[OF_AGENT, query.agent_id, query.agent_id, query.agent_id, query.agent_id]],
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
