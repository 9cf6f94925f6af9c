// What agents ask of people: the open ones with the oldest first, since it has waited longest; otherwise the newest first.
import type { HumanRequestKind, HumanRequestStatus } from "@/server/contract/asking";
import type { HumanRequestLine, HumanRequestPage } from "@/server/contract/human-request";
import type { ChainLink } from "@/server/contract/turn";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequest, noRequest, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
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

const FILTER = `q.project_id = $1 AND ($2::text IS NULL OR q.kind = $2) AND ($3::text IS NULL OR q.agent_turn_id = $3)
  AND ($4::text IS NULL OR q.root_turn_id = $4)`;
const OPEN = `
  SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM state.human_requests q
  WHERE ${FILTER} AND q.status = 'open' AND ($5::timestamptz IS NULL OR (q.created_at, q.request_id) > ($5::timestamptz, $6::text))
  ORDER BY q.created_at, q.request_id LIMIT $7`;
// Ids are in the order of time, and the primary key has them.
const ALL = `
  SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM state.human_requests q
  WHERE ${FILTER} AND ($8::text IS NULL OR q.status = $8) AND ($5::timestamptz IS NULL OR q.request_id < $6::text)
  ORDER BY q.request_id DESC LIMIT $7`;
const ONE = `SELECT ${columnsOf(REQUEST_COLUMNS, "q")}, ${AT("q.created_at")} FROM state.human_requests q WHERE q.project_id = $1 AND q.request_id = $2`;

// The walk stops at a turn it has seen: a cycle in restored data must not hang the page.
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
  ), chains AS (
    SELECT u.request_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('agent_turn_id', u.agent_turn_id, 'agent_id', u.agent_id,
      'headcode', u.headcode, 'profile_name', u.profile_name, 'display_name', a.display_name,
      'is_human', u.is_human)) ORDER BY u.height DESC) AS chain
    FROM up u JOIN resource.project_agents a ON a.project_id = $1 AND a.agent_id = u.agent_id GROUP BY u.request_id
  )
  SELECT to_jsonb(f) - 'at' AS request, f.at, c.chain,
    (SELECT to_jsonb(r) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = f.agent_turn_id) r) AS turn
  FROM found f JOIN chains c ON c.request_id = f.request_id ORDER BY ${order}`;
const OPEN_LINES = lines(OPEN, "f.created_at, f.request_id");
const ALL_LINES = lines(ALL, "f.request_id DESC");
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
  const values = [
    project_id,
    query.kind ?? null,
    query.agent_turn_id ?? null,
    query.root_turn_id ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ];
  const rows = isOpen
    ? await read<Row>(kernel, "human_requests_open", OPEN_LINES, values)
    : await read<Row>(kernel, "human_requests_all", ALL_LINES, [...values, status ?? null]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(lineOf),
    live_cursor,
    open_count,
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.request.request_id }) }),
  };
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
