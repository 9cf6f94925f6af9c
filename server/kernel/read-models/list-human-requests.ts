// What agents ask of people: the open ones with the oldest first, since it has waited longest; otherwise the newest first.
import type { HumanRequestKind, HumanRequestStatus } from "@/server/contract/asking";
import type { HumanRequestLine, HumanRequestPage } from "@/server/contract/human-request";
import type { ChainLink } from "@/server/contract/turn";
import { AT, formatPageCursor, type Place, parsePageCursor } from "../cardbox/page-cursor";
import { type Filter, type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequest, noRequest, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

export type HumanRequestQuery = {
  project_id: string;
  status?: HumanRequestStatus;
  kind?: HumanRequestKind;
  agent_turn_id?: string;
  root_turn_id?: string;
  limit: number;
  cursor?: string;
};

const OPEN = (p: WalkPieces) => `
  SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM state.human_requests q
  WHERE q.project_id = $1 AND ${p.within} AND q.status = 'open' AND ${p.where} ORDER BY q.created_at, q.request_id LIMIT ${p.limit}`;
// Ids are in the order of time, and the primary key has them.
const ALL = (p: WalkPieces) => `
  SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM (
    SELECT ${columnsOf(REQUEST_COLUMNS, "q")} FROM state.human_requests q WHERE q.project_id = $1 AND ${p.within}
    ORDER BY q.request_id DESC LIMIT ${p.window}
  ) q WHERE ${p.where} ORDER BY q.request_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT q.request_id AS id, ${AT("q.created_at")} FROM (SELECT q.request_id, q.created_at FROM state.human_requests q WHERE q.project_id = $1 AND ${p.within}
    ORDER BY q.request_id DESC OFFSET ${p.window} - 1 LIMIT 2) q ORDER BY q.request_id DESC`;
// By their ids first: a turn asks little, and walked from the newest on its requests were the last of all that were read.
const OF_TURN = `q.request_id = ANY (ARRAY(
  SELECT o.request_id FROM state.human_requests o WHERE o.project_id = $1 AND o.agent_turn_id = ?))`;
const ONE = `SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM state.human_requests q WHERE q.project_id = $1 AND q.request_id = $2`;

// The walk stops at a turn it has seen: a cycle in restored data must not hang the page. Chains are put together once: planned for one
// request, all of them were put together again for each of fifty.
const lines = (found: string, order: string) => `
  WITH RECURSIVE found AS (${found}), up AS (
    SELECT f.request_id, t.agent_turn_id, t.agent_id, t.headcode, t.profile_name, t.is_human, t.primitive, t.parent_turn_id, 0 AS height,
      ARRAY[t.agent_turn_id] AS seen
    FROM found f JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = f.agent_turn_id
    UNION ALL
    SELECT up.request_id, t.agent_turn_id, t.agent_id, t.headcode, t.profile_name, t.is_human, t.primitive, t.parent_turn_id, up.height + 1,
      up.seen || t.agent_turn_id
    FROM up JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = up.parent_turn_id
    WHERE NOT t.agent_turn_id = ANY (up.seen) AND up.height < 64 AND up.primitive <> 'ui_action'
  ), chains AS MATERIALIZED (
    SELECT u.request_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('agent_turn_id', u.agent_turn_id, 'agent_id', u.agent_id,
      'headcode', u.headcode, 'profile_name', u.profile_name, 'display_name', a.display_name,
      'is_human', u.is_human)) ORDER BY u.height DESC) AS chain
    FROM up u CROSS JOIN LATERAL (
      SELECT a.display_name FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = u.agent_id OFFSET 0) a GROUP BY u.request_id
  )
  SELECT to_jsonb(f) - 'at' AS request, f.at, c.chain,
    (SELECT to_jsonb(r) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = f.agent_turn_id) r) AS turn
  FROM found f JOIN chains c ON c.request_id = f.request_id ORDER BY ${order}`;
const OPEN_LINES = (p: WalkPieces) => lines(OPEN(p), "f.created_at, f.request_id");
const ALL_LINES = (p: WalkPieces) => lines(ALL(p), "f.request_id DESC");
const ONE_LINE = lines(ONE, "f.request_id");

const COUNT = "SELECT count(*)::int AS n FROM state.human_requests WHERE project_id = $1 AND status = 'open'";

type Row = { request: HumanRequestRow; at: string; chain: ChainLink[]; turn: TurnRefRow };

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listHumanRequests(kernel: Kernel, query: HumanRequestQuery): Promise<HumanRequestPage> {
  const { project_id, limit, status } = query;
  const after = parsePageCursor(project_id, query.cursor);
  await readProject(kernel, project_id);
  const { live_cursor, open_count } = await countOpenRequests(kernel, { project_id });
  const isOpen = status === "open";
  const older: Filter = isOpen
    ? ["(q.created_at, q.request_id) > (?::timestamptz, ?::text)", after?.at, after?.id]
    : ["q.request_id < ?::text", after?.id];
  const { rows, next_cursor } = await walk<Row>({
    project_id,
    limit,
    cursor: query.cursor,
    own: { after: [older], cursorOf: (place) => formatPageCursor(project_id, place) },
    time: "q.created_at",
    id: "q.request_id",
    idOf: ({ request }) => request.request_id,
    keyed: [[OF_TURN, query.agent_turn_id]],
    asked: [
      ["q.root_turn_id = ?", query.root_turn_id],
      ["q.kind = ?", query.kind],
      ["q.status = ?", isOpen ? undefined : status],
    ],
    rows: (pieces, values) =>
      isOpen
        ? read<Row>(kernel, UNPREPARED, OPEN_LINES(pieces), values)
        : read<Row>(kernel, UNPREPARED, ALL_LINES(pieces), values),
    // All that are open are looked at: people are asked for few at a time.
    end: async (pieces, values) => (isOpen ? [] : read<Place>(kernel, UNPREPARED, END(pieces), values)),
  });
  return { items: rows.map(lineOf), live_cursor, open_count, ...(next_cursor !== undefined && { next_cursor }) };
}

export async function readHumanRequest(
  kernel: Kernel,
  { project_id, request_id }: { project_id: string; request_id: string },
): Promise<HumanRequestLine> {
  const [row] = await read<Row>(kernel, "human_request_one", ONE_LINE, [project_id, request_id]);
  if (!row) throw noRequest(request_id);
  return lineOf(row);
}

/** The cursor is read first: a request opened meanwhile is counted, and its frame reports it once more. */
export async function countOpenRequests(
  kernel: Kernel,
  { project_id }: { project_id: string },
): Promise<{ open_count: number; live_cursor: string }> {
  const live_cursor = await readCursor(kernel, project_id);
  const [row] = await read<{ n: number }>(kernel, "human_requests_count", COUNT, [project_id]);
  return { open_count: row?.n ?? 0, live_cursor };
}

const lineOf = ({ request, chain, turn }: Row): HumanRequestLine => ({
  ...humanRequest(request),
  turn: turnRef(turn),
  chain,
});
