// Who caused what: requests and responses between turns, the newest first.
import type { Page } from "@/server/contract/page";
import type { ExecutionEdge, ExecutionEdgeQuery } from "@/server/contract/state";
import { AT, formatPageCursor, type Place, parsePageCursor } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";

const COLUMNS = [
  "edge_id",
  "primitive",
  "edge_phase",
  "source_agent_id",
  "source_turn_id",
  "source_step_id",
  "target_agent_id",
  "target_turn_id",
  "root_turn_id",
  "correlation_id",
  "recursion_depth",
  "trace_id",
  "parent_step_id",
  "is_inferred",
  "metadata",
  "created_at",
] as const satisfies readonly (keyof ExecutionEdge)[];

// Ids are in the order of time, and the primary key has them: an index by age would be two more entries for every branch of a fork.
// Edges of an imported log have ids of their own, and come in the order of those.
const LIST = (p: WalkPieces) => `
  SELECT ${columnsOf(COLUMNS, "e")}, ${AT("e.created_at")} FROM (
    SELECT ${columnsOf(COLUMNS, "e")} FROM state.execution_edges e WHERE e.project_id = $1 AND ${p.within}
    ORDER BY e.edge_id DESC LIMIT ${p.window}
  ) e WHERE ${p.where} ORDER BY e.edge_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT e.edge_id AS id, ${AT("e.created_at")} FROM (SELECT e.edge_id, e.created_at FROM state.execution_edges e WHERE e.project_id = $1 AND ${p.within}
    ORDER BY e.edge_id DESC OFFSET ${p.window} - 1 LIMIT 2) e ORDER BY e.edge_id DESC`;

// One list of ids from two indexes: with OR between them, the edges of all turns were read.
const OF_TURN = `e.edge_id = ANY (ARRAY(
  SELECT s.edge_id FROM state.execution_edges s WHERE s.project_id = $1 AND s.source_turn_id = ?
  UNION SELECT t.edge_id FROM state.execution_edges t WHERE t.project_id = $1 AND t.target_turn_id = ?))`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listExecutionEdges(
  kernel: Kernel,
  query: ExecutionEdgeQuery & { project_id: string },
): Promise<Page<ExecutionEdge>> {
  const place = parsePageCursor(query.project_id, query.cursor);
  await readProject(kernel, query.project_id);
  const { rows, next_cursor } = await walk<PageRow<ExecutionEdge>>({
    ...query,
    cursor: query.cursor,
    own: { after: [["e.edge_id < ?::text", place?.id]], cursorOf: (at) => formatPageCursor(query.project_id, at) },
    time: "e.created_at",
    id: "e.edge_id",
    idOf: (edge) => edge.edge_id,
    keyed: [
      [OF_TURN, query.agent_turn_id, query.agent_turn_id],
      ["e.correlation_id = ?", query.correlation_id],
    ],
    asked: [
      ["? IN (e.source_agent_id, e.target_agent_id)", query.agent_id],
      ["e.primitive = ?", query.primitive],
      ["e.edge_phase = ?", query.edge_phase],
      ["e.trace_id = ?", query.trace_id],
      ["e.parent_step_id = ?", query.parent_step_id],
    ],
    rows: (pieces, values) => read<PageRow<ExecutionEdge>>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => withoutNulls<ExecutionEdge>(row)), next_cursor };
}
