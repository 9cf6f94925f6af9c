// What waits in a project's inboxes, why, and how old it is: the oldest open row first, then what has ended, newest first.
import {
  type InboxLine,
  type InboxPage,
  type InboxStatus,
  inboxReason,
  isOpenRow,
  type MessageType,
} from "@/server/contract/inbox-line";
import { AT, formatPageCursor, parsePageCursor, type Place as Spot } from "../cardbox/page-cursor";
import { type Filter, type WalkPieces, walk, written } from "../cardbox/walk";
import { columnsOf } from "../columns";
import { messageIdSql } from "../inbox/turn-message";
import { rowServedSql } from "../inbox/who-serves";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

export type InboxQuery = {
  project_id: string;
  agent_id?: string;
  status?: InboxStatus;
  message_type?: MessageType;
  /** Only what waits, or only what has ended; both without it. */
  state?: "open" | "ended";
  limit: number;
  cursor?: string;
};

const INBOX_COLUMNS = [
  "project_id",
  "inbox_id",
  "agent_id",
  "message_type",
  "correlation_id",
  "agent_turn_id",
  "turn_epoch",
  "worker_target",
  "needs_own_worker",
  "status",
  "attempt",
  "retry_count",
  "next_retry_at",
  "defer_reason",
  "last_error",
  "claimed_by",
  "processed_at",
  "archived_at",
  "created_at",
];
// One branch per partial index: the same over all rows of a project that has run for a month took a second.
const openRows = (statuses: string, p: WalkPieces) => `
  SELECT ${columnsOf(INBOX_COLUMNS, "i")} FROM state.inbox_messages i WHERE i.project_id = $1 AND i.status IN (${statuses}) AND ${p.where}`;
const OPEN = (p: WalkPieces) => `
  SELECT ${columnsOf(INBOX_COLUMNS, "i")}, ${AT("i.created_at")} FROM (
    ${openRows("'pending', 'deferred'", p)} UNION ALL ${openRows("'processing'", p)} UNION ALL
    SELECT ${columnsOf(INBOX_COLUMNS, "i")} FROM state.due d CROSS JOIN LATERAL (SELECT ${columnsOf(INBOX_COLUMNS, "m")} FROM state.turn_messages m
      WHERE m.project_id = d.project_id AND m.agent_turn_id = d.agent_turn_id OFFSET 0) i
    WHERE d.project_id = $1 AND d.heartbeat_at IS NULL AND ${p.where}
  ) i WHERE ${p.within} ORDER BY i.created_at, i.inbox_id LIMIT ${p.limit}`;

// Ids are in the order of time, and the primary keys have them: what no longer waits needs no separate index. Messages and turns in one
// order; of a turn, the key is its own id, and some turns never were a message.
const places = (window: string, p: WalkPieces) => `
    SELECT k.inbox_id, k.created_at, k.turn FROM (
      (SELECT i.inbox_id, i.created_at, NULL::text AS turn FROM (
        SELECT m.inbox_id, m.created_at, m.inbox_id AS key, '' AS head, 1 AS cut FROM state.inbox_messages m
        WHERE m.project_id = $1) i WHERE ${p.within} ORDER BY i.key DESC LIMIT ${p.window} + 1)
      UNION ALL
      (SELECT i.inbox_id, i.created_at, i.key FROM (
        SELECT ${messageIdSql("t.agent_turn_id")} AS inbox_id, t.created_at, t.agent_turn_id AS key, 'turn_' AS head, 7 AS cut
        FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id ^@ 'turn_') i WHERE ${p.within} ORDER BY i.key DESC LIMIT ${p.window} + 1)
    ) k ORDER BY k.inbox_id DESC ${window}`;
const BEHIND = "i.key < i.head || substr(?::text, i.cut)";
const ENDED = (p: WalkPieces) => `
  SELECT ${columnsOf(INBOX_COLUMNS, "i")}, ${AT("i.created_at")} FROM (${places(`LIMIT ${p.window}`, p)}) k
  CROSS JOIN LATERAL (
    SELECT ${columnsOf(INBOX_COLUMNS, "m")} FROM state.inbox_messages m WHERE k.turn IS NULL AND m.project_id = $1 AND m.inbox_id = k.inbox_id
    UNION ALL
    SELECT ${columnsOf(INBOX_COLUMNS, "m")} FROM state.turn_messages m WHERE m.project_id = $1 AND m.agent_turn_id = k.turn
  ) i WHERE ${p.where} ORDER BY i.inbox_id DESC LIMIT ${p.limit}`;
const ENDED_END = (p: WalkPieces) => `
  SELECT i.inbox_id AS id, ${AT("i.created_at")} FROM (${places(`OFFSET ${p.window} - 1 LIMIT 2`, p)}) i ORDER BY i.inbox_id DESC`;

/** `ms`: a worker that was seen within so many is there. */
const lines = (rows: string, ms: number) => `
  SELECT ${columnsOf(INBOX_COLUMNS, "i")}, i.at, a.profile_name, a.display_name,
    ${rowServedSql(String(ms))} AS is_served,
    (SELECT to_jsonb(r) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = i.project_id AND t.agent_turn_id = i.agent_turn_id) r) AS turn,
    CASE WHEN i.status = 'queued' THEN (SELECT to_jsonb(r) FROM (SELECT ${TURN_REF} FROM resource.project_agents o
      JOIN state.agent_turns t ON t.project_id = o.project_id AND t.agent_turn_id = o.active_turn
      WHERE o.project_id = i.project_id AND o.agent_id = i.agent_id) r) END AS behind,
    CASE WHEN i.status = 'queued' THEN (SELECT count(*)::int FROM state.due q
      WHERE q.project_id = i.project_id AND q.queued_for = i.agent_id
        AND (q.created_at, q.agent_turn_id) < (i.created_at, i.agent_turn_id)) END AS queue_ahead
  FROM (${rows}) i
  CROSS JOIN LATERAL (SELECT a.profile_name, a.display_name FROM resource.project_agents a
    WHERE a.project_id = i.project_id AND a.agent_id = i.agent_id OFFSET 0) a`;
const OPEN_LINES = (p: WalkPieces, ms: number) => `${lines(OPEN(p), ms)} ORDER BY i.created_at, i.inbox_id`;
const ENDED_LINES = (p: WalkPieces, ms: number) => `${lines(ENDED(p), ms)} ORDER BY i.inbox_id DESC`;

type Nullable = "display_name" | "agent_turn_id" | "defer_reason" | "last_error" | "claimed_by" | "queue_ahead";
type Times = "processed_at" | "archived_at";
type Row = Omit<InboxLine, Nullable | Times | "turn" | "behind" | "age_ms" | "reason"> & {
  [K in Nullable]: Exclude<InboxLine[K], undefined> | null;
} & { [K in Times]: string | null } & {
  turn: TurnRefRow | null;
  behind: TurnRefRow | null;
  project_id: string;
  at: string;
};

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listInbox(kernel: Kernel, query: InboxQuery): Promise<InboxPage> {
  const { project_id, limit } = query;
  const place = placeOf(project_id, query.cursor);
  await readProject(kernel, project_id);
  const live_cursor = await readCursor(kernel, project_id);
  const ms = kernel.tunables.workerSeenMsMax;
  const state = query.state ?? (query.status && (isOpenRow(query.status) ? "open" : "ended"));
  const asked: Filter[] = [
    ["i.agent_id = ?", query.agent_id],
    ["i.message_type = ?", query.message_type],
  ];
  const isPastOpen = state === "ended" || place?.side === "ended";
  const open = isPastOpen ? [] : await openPage(kernel, query, { place, asked, ms });
  const rows = open.slice(0, limit);
  const now = kernel.now().getTime();
  const answer = (shown: Row[], next: string | undefined): InboxPage => ({
    items: shown.map((row) => lineOf(row, now)),
    live_cursor,
    ...(next !== undefined && { next_cursor: next }),
  });
  const last = rows.at(-1);
  if (open.length > limit && last) return answer(rows, cursorOf(project_id, last));
  if (state === "open") return answer(rows, undefined);
  const room = limit - rows.length;
  const ended = await walk<Row>({
    project_id,
    limit: Math.max(room, 1),
    cursor: undefined,
    own: {
      after: [[BEHIND, place?.side === "ended" ? place.id : undefined]],
      cursorOf: ({ at, id }) => formatPageCursor(project_id, { at, id: `e${id}` }),
    },
    time: "i.created_at",
    id: "i.inbox_id",
    idOf: (row) => row.inbox_id,
    keyed: [],
    asked: [["i.status = ANY (?::text[])", query.status ? [query.status] : ENDED_STATUSES], ...asked],
    rows: (pieces, values) => read<Row>(kernel, UNPREPARED, ENDED_LINES(pieces, ms), values),
    end: (pieces, values) => read<Spot>(kernel, UNPREPARED, ENDED_END(pieces), values),
  });
  const isMore = ended.rows.length > 0 || ended.next_cursor !== undefined;
  if (room === 0 && last) return answer(rows, isMore ? cursorOf(project_id, last) : undefined);
  // A row that ended between the two reads is listed once.
  const seen = new Set(rows.map((row) => row.inbox_id));
  return answer([...rows, ...ended.rows.filter((row) => !seen.has(row.inbox_id))], ended.next_cursor);
}

const ENDED_STATUSES = ["consumed", "error", "skipped"] satisfies InboxStatus[];

type OpenPage = { place: Place | null; asked: Filter[]; ms: number };

async function openPage(kernel: Kernel, query: InboxQuery, { place, asked, ms }: OpenPage): Promise<Row[]> {
  const values: unknown[] = [query.project_id];
  const where = written([...asked, ["i.status = ?", query.status]], values);
  const within = written([["(i.created_at, i.inbox_id) > (?::timestamptz, ?::text)", place?.at, place?.id]], values);
  const limit = query.limit + 1;
  return read<Row>(kernel, UNPREPARED, OPEN_LINES({ within, where, window: limit, limit }, ms), values);
}

type Place = { side: "open" | "ended"; at: string; id: string };

/** The part of the list comes before the id: a row that has ended since must not move the reader to the other part. */
function placeOf(project_id: string, cursor: string | undefined): Place | null {
  const place = parsePageCursor(project_id, cursor);
  if (place === null) return null;
  return { side: place.id.startsWith("o") ? "open" : "ended", at: place.at, id: place.id.slice(1) };
}

const cursorOf = (project_id: string, row: Row): string =>
  formatPageCursor(project_id, { at: row.at, id: `${isOpenRow(row.status) ? "o" : "e"}${row.inbox_id}` });

function lineOf(row: Row, now: number): InboxLine {
  const line: Omit<InboxLine, "age_ms" | "reason"> = {
    inbox_id: row.inbox_id,
    agent_id: row.agent_id,
    profile_name: row.profile_name,
    display_name: row.display_name ?? undefined,
    message_type: row.message_type,
    correlation_id: row.correlation_id,
    agent_turn_id: row.agent_turn_id ?? undefined,
    turn_epoch: row.turn_epoch,
    worker_target: row.worker_target,
    needs_own_worker: row.needs_own_worker,
    is_served: row.is_served,
    status: row.status,
    attempt: row.attempt,
    retry_count: row.retry_count,
    next_retry_at: iso(row.next_retry_at),
    defer_reason: row.defer_reason ?? undefined,
    last_error: row.last_error ?? undefined,
    claimed_by: row.claimed_by ?? undefined,
    processed_at: row.processed_at === null ? undefined : iso(row.processed_at),
    archived_at: row.archived_at === null ? undefined : iso(row.archived_at),
    created_at: iso(row.created_at),
    turn: row.turn ? turnRef(row.turn) : undefined,
    behind: row.behind ? turnRef(row.behind) : undefined,
    queue_ahead: row.queue_ahead ?? undefined,
  };
  return { ...line, age_ms: Math.max(0, now - Date.parse(line.created_at)), reason: inboxReason(line, now) };
}

const iso = (time: string): string => new Date(time).toISOString();
