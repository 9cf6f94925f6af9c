// Who caused what: requests and responses between turns, the newest first. Turns, batches and the table of all other edges each give
// their newest by their primary keys; the view that they make together answers for those that are listed.
import type { Page } from "@/server/contract/page";
import type { ExecutionEdge, ExecutionEdgeQuery } from "@/server/contract/state";
import { AT, formatPageCursor, type Place, parsePageCursor } from "../cardbox/page-cursor";
import { type Filter, type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { edgeIdSql } from "../turns/edge-ids";
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

// `place` is the key of who tells the edge. Edges of an imported log have ids of their own, and come in the order of those.
const EXTRA = `
  SELECT x.edge_id, x.correlation_id, x.edge_id AS place, 'edge_' AS teller, NULL::text AS only_primitive, NULL::text AS only_phase
  FROM state.edge_extra x WHERE x.project_id = $1`;
const CALLS = `
  SELECT ${edgeIdSql("t.agent_turn_id")} AS edge_id, t.agent_turn_id AS correlation_id, t.agent_turn_id AS place, 'turn_' AS teller,
    'enqueue' AS only_primitive, 'request' AS only_phase
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.tells_request AND t.parent_turn_id IS NOT NULL AND t.primitive <> 'ui_action'`;
const ENDS = `
  SELECT ${edgeIdSql("t.agent_turn_id")} || '_end' AS edge_id, t.agent_turn_id AS correlation_id, t.agent_turn_id AS place, 'turn_' AS teller,
    'enqueue' AS only_primitive, 'response' AS only_phase
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.tells_response AND t.parent_turn_id IS NOT NULL AND t.primitive <> 'ui_action'
    AND t.ended_at IS NOT NULL`;
const FORKS = `
  SELECT 'edge_' || substr(b.batch_id, 7) AS edge_id, b.batch_id AS correlation_id, b.batch_id AS place, 'batch_' AS teller,
    'join' AS only_primitive, 'request' AS only_phase
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.tells_request`;
const JOINS = `
  SELECT 'edge_' || substr(b.batch_id, 7) || '_end' AS edge_id, b.batch_id AS correlation_id, b.batch_id AS place, 'batch_' AS teller,
    'join' AS only_primitive, 'response' AS only_phase
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.tells_response AND b.ended_at IS NOT NULL`;

const newestOf = (tellers: string, within: string, rows: string) => `(
    SELECT e.edge_id, e.correlation_id FROM (${tellers}) e WHERE ${within} ORDER BY e.place DESC LIMIT ${rows})`;
const newest = (
  within: string,
  rows: string,
) => `${newestOf(EXTRA, within, rows)} UNION ALL ${newestOf(CALLS, within, rows)}
  UNION ALL ${newestOf(ENDS, within, rows)} UNION ALL ${newestOf(FORKS, within, rows)} UNION ALL ${newestOf(JOINS, within, rows)}`;
const LIST = (p: WalkPieces) => `
  WITH near AS MATERIALIZED (
    SELECT n.edge_id, n.correlation_id FROM (${newest(p.within, `${p.window}`)}) n ORDER BY n.edge_id DESC LIMIT ${p.window}
  )
  SELECT ${columnsOf(COLUMNS, "e")}, ${AT("e.created_at")} FROM state.execution_edges e
  WHERE e.project_id = $1 AND e.correlation_id = ANY (ARRAY(SELECT correlation_id FROM near))
    AND e.edge_id = ANY (ARRAY(SELECT edge_id FROM near)) AND ${p.where}
  ORDER BY e.edge_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  WITH near AS MATERIALIZED (
    SELECT n.edge_id, n.correlation_id FROM (${newest(p.within, `${p.window} + 1`)}) n ORDER BY n.edge_id DESC OFFSET ${p.window} - 1 LIMIT 2
  )
  SELECT e.edge_id AS id, ${AT("e.created_at")} FROM state.execution_edges e
  WHERE e.project_id = $1 AND e.correlation_id = ANY (ARRAY(SELECT correlation_id FROM near))
    AND e.edge_id = ANY (ARRAY(SELECT edge_id FROM near)) ORDER BY e.edge_id DESC`;

// By the keys of those who tell them: with OR between both ends, the edges of all turns were read.
const OF_TURN = `e.place = ANY (ARRAY(
  SELECT s.edge_id FROM state.edge_extra s WHERE s.project_id = $1 AND s.source_turn_id = ?
  UNION SELECT x.edge_id FROM state.edge_extra x WHERE x.project_id = $1 AND x.target_turn_id = ?
  UNION SELECT ?::text UNION SELECT c.agent_turn_id FROM state.agent_turns c WHERE c.project_id = $1 AND c.parent_turn_id = ?
  UNION SELECT b.batch_id FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_agent_turn_id = ?))`;

/** Older than the last one of the page before. Each key is bounded, so that its index begins there. */
function before(id: string): Filter {
  // Of an id that another program gave, all that the kernel minted are on one side.
  const keyOf = (prefix: string) => {
    if (id.startsWith("edge_")) return prefix + id.slice(5, 37);
    return id > "edge_" ? `${prefix}g` : prefix;
  };
  const bound = "CASE e.teller WHEN 'turn_' THEN ?::text WHEN 'batch_' THEN ?::text ELSE ?::text END";
  return [`e.edge_id < ?::text AND e.place <= ${bound}`, id, keyOf("turn_"), keyOf("batch_"), id];
}

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listExecutionEdges(
  kernel: Kernel,
  query: ExecutionEdgeQuery & { project_id: string },
): Promise<Page<ExecutionEdge>> {
  const place = parsePageCursor(query.project_id, query.cursor);
  const turn = query.agent_turn_id;
  await readProject(kernel, query.project_id);
  const { rows, next_cursor } = await walk<PageRow<ExecutionEdge>>({
    ...query,
    cursor: query.cursor,
    own: { after: place ? [before(place.id)] : [], cursorOf: (at) => formatPageCursor(query.project_id, at) },
    time: "e.created_at",
    id: "e.edge_id",
    idOf: (edge) => edge.edge_id,
    keyed: [
      [OF_TURN, turn, turn, turn, turn, turn],
      ["e.correlation_id = ?", query.correlation_id],
      // Those who tell other edges only are not looked at.
      ["(e.only_primitive IS NULL OR e.only_primitive = ?)", query.primitive],
      ["(e.only_phase IS NULL OR e.only_phase = ?)", query.edge_phase],
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
