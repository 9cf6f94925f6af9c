// A page of a run's transcript: who said what to whom, in the order of time. The first page counts the lines of the run; those behind it
// read the turns that can have lines on them, for paging through a run of 2,000 turns read all of its cards with each page.
import type { TranscriptLine, TranscriptPage } from "@/server/contract/answers/transcript";
import { LINE_CHARS_MAX, TRANSCRIPT_TURNS_MAX, type TranscriptQuery, wordsIn } from "@/server/contract/transcript";
import { AT } from "../cardbox/page-cursor";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";
import { type Counted, formatLineCursor, type LinePlace, parseLineCursor } from "./transcript-cursor";
import { LINES, LINES_BEHIND } from "./transcript-sql";

const GONE = "(c.deleted_at IS NOT NULL OR coalesce(c.expires_at <= now(), false))";

// The same words as server/contract/said-text.ts.
const TEXT = `CASE c.content ->> 'kind'
  WHEN 'text' THEN c.content ->> 'text'
  WHEN 'tool_call' THEN c.content ->> 'arguments'
  WHEN 'tool_result' THEN coalesce(c.content -> 'error' ->> 'message', c.content ->> 'result', '')
  WHEN 'fields_schema' THEN c.content ->> 'fields'
  ELSE coalesce((SELECT string_agg(concat(f ->> 'name', ': ', f ->> 'value'), E'\\n\\n' ORDER BY n)
    FROM jsonb_path_query(c.content, 'lax $.data.fields[*] ? (exists(@.name))') WITH ORDINALITY AS f(f, n)), c.content ->> 'data', '')
  END`;
const TOOL = "coalesce(c.content ->> 'tool_name', c.metadata ->> 'function_name')";
const nameOf = (agent: string): string =>
  `(SELECT coalesce(nullif(g.display_name, ''), g.agent_id) FROM resource.project_agents g WHERE g.project_id = $1 AND g.agent_id = ${agent})`;

const COLUMNS = `l.card_id, l.agent_turn_id, l.to_turn_id, l.kind, l."from", l.by, l."to", l.at, l.history_index, l.key`;

// The texts are cut in the database: a page of results of a megabyte each would be five hundred megabytes. `sums` has one row, so that a run
// without lines has one too.
const SHOWN = `
  SELECT u.total, u."of", u.before, u.is_whole, u.is_run, u.is_timed, u.is_partial, p.key, p.key AS line_id, p.card_id, p.agent_turn_id,
    p.to_turn_id, p.kind, p."from", p.by, p."to", w.headcode, k.headcode AS to_headcode, ${nameOf('p."from"')} AS from_name,
    ${nameOf('p."to"')} AS to_name, ${AT("p.at")}, c.metadata ->> 'type' AS type, p.history_index,
    CASE WHEN ${GONE} THEN '' ELSE left(c.text, ${LINE_CHARS_MAX}) END AS text,
    CASE WHEN ${GONE} THEN 0 ELSE length(c.text) END AS letters, c.tool_name, c.tool_call_id,
    coalesce(c.content ->> 'status', c.metadata ->> 'status') AS status,
    CASE WHEN c.metadata -> 'mark' ->> 'kind' = 'mistake' THEN coalesce(c.metadata -> 'mark' ->> 'reason', '') END AS mistake,
    CASE WHEN ${GONE} THEN true END AS is_deleted
  FROM sums u LEFT JOIN page p ON true
  LEFT JOIN state.agent_turns w ON w.project_id = $1 AND w.agent_turn_id = p.agent_turn_id
  LEFT JOIN state.agent_turns k ON k.project_id = $1 AND k.agent_turn_id = p.to_turn_id LEFT JOIN LATERAL (
    SELECT c.content, c.metadata, c.tool_call_id, c.deleted_at, c.expires_at, ${TEXT} AS text, ${TOOL} AS tool_name
    FROM cards c WHERE c.tenant_id = $1 AND c.card_id = p.card_id OFFSET 0
  ) c ON true
  ORDER BY p.at, p.key`;

const FITS = `($9::text[] IS NULL OR EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = l.card_id AND NOT ${GONE}
  AND concat_ws(' ', ${nameOf('l."from"')}, ${nameOf('l."to"')}, l.by, ${TOOL}, ${TEXT}) ILIKE ALL ($9)))`;

// Counts all lines: the first page, and each page of one agent, of words, or of a log.
const PAGE = `
  WITH ${LINES}, mine AS MATERIALIZED (
    SELECT ${COLUMNS} FROM line l WHERE ($6::text IS NULL OR l."from" = $6 OR l."to" = $6) AND ${FITS}
  ), start AS (
    SELECT s.at, s.key FROM mine s
    WHERE ($7::text IS NOT NULL AND s.card_id = $7) OR ($8::text IS NOT NULL AND $8 IN (s.agent_turn_id, s.to_turn_id))
    ORDER BY (s.card_id = $7) DESC NULLS LAST, s.at, s.key LIMIT 1
  ), page AS (
    SELECT ${COLUMNS} FROM mine l
    WHERE ($3::timestamptz IS NULL OR (l.at, l.key) > ($3::timestamptz, $4::text))
      AND ($3::timestamptz IS NOT NULL OR NOT EXISTS (SELECT 1 FROM start) OR (l.at, l.key) >= (SELECT s.at, s.key FROM start s))
    ORDER BY l.at, l.key LIMIT $5
  ), sums AS (
    SELECT (SELECT count(*)::int FROM mine) AS total, (SELECT count(*)::int FROM line) AS "of", true AS is_whole,
      (SELECT count(*)::int FROM mine b WHERE (b.at, b.key) < (SELECT p.at, p.key FROM page p ORDER BY p.at, p.key LIMIT 1)) AS before,
      EXISTS (SELECT 1 FROM told) AS is_run, (SELECT count(*) FROM run) >= ${TRANSCRIPT_TURNS_MAX} AS is_partial,
      EXISTS (SELECT 1 FROM told m WHERE m.source <> 'import' AND m.has_no_times IS NOT TRUE) AS is_timed
  )
  ${SHOWN}`;

// Reads the turns that can have lines on it, and counts none before: its cursor says how many there are.
const NEXT_PAGE = `
  WITH ${LINES_BEHIND}, page AS (
    SELECT ${COLUMNS} FROM line l WHERE (l.at, l.key) > ($3::timestamptz, $4::text) ORDER BY l.at, l.key LIMIT $5
  ), sums AS (
    SELECT NULL::int AS total, NULL::int AS "of", NULL::int AS before, NOT EXISTS (SELECT 1 FROM stop) AS is_whole,
      EXISTS (SELECT 1 FROM told) AS is_run, false AS is_partial, true AS is_timed
  )
  ${SHOWN}`;

type Line = Omit<TranscriptLine, "is_deleted"> & { is_deleted?: boolean; key: string };
type Row = { [K in keyof PageRow<Line>]: PageRow<Line>[K] | null } & {
  total: number | null;
  of: number | null;
  before: number | null;
  /** No line of the run stands behind those that were read. */
  is_whole: boolean;
  is_run: boolean;
  /** Its lines stand in the order in which they were written. */
  is_timed: boolean;
  is_partial: boolean;
};

type Asked = TranscriptQuery & { project_id: string; root_turn_id: string };

/** not_found for an unknown run and for one of another project; bad_request for a cursor of another run. Three statements at most. */
export async function readTranscript(kernel: Kernel, query: Asked): Promise<TranscriptPage & { live_cursor: string }> {
  const { project_id, root_turn_id } = query;
  await readProject(kernel, project_id);
  const after = parseLineCursor(query, query.cursor);
  // Read first: what is written meanwhile is listed, and its frame tells of it once more.
  const live_cursor = await readCursor(kernel, project_id);
  const counted = after?.counted;
  const next = counted === undefined ? null : await readRows(kernel, query, after, true);
  // A page that is not full and not the last: cards of its turns were deleted.
  if (next !== null && counted !== undefined && (next.is_full || next.first.is_whole))
    return { ...pageOf(query, next, counted), live_cursor };
  const page = await readRows(kernel, query, after, false);
  if (!page.first.is_run) throw await noRun(kernel, { project_id, root_turn_id });
  const { total, of, before } = page.first;
  if (total === null || of === null) throw new Error("lines were counted and no count came back");
  return {
    ...pageOf(query, page, { total, of, before: page.shown.length === 0 ? total : (before ?? 0) }),
    live_cursor,
  };
}

type Read = { first: Row; shown: Row[]; is_full: boolean };

async function readRows(kernel: Kernel, query: Asked, after: LinePlace | null, isNext: boolean): Promise<Read> {
  const { project_id, root_turn_id, limit, q = "" } = query;
  const place = [project_id, root_turn_id, after?.at ?? null, after?.key ?? null, limit + 1];
  const parts = [query.agent_id ?? null, query.from_card ?? null, query.from_turn ?? null, patternsOf(q)];
  const rows = isNext
    ? await read<Row>(kernel, "transcript_next", NEXT_PAGE, place)
    : await read<Row>(kernel, "transcript", PAGE, [...place, ...parts]);
  const [first] = rows;
  if (!first) throw new Error("a transcript has one row at least, and none came back");
  const found = rows.filter((row) => row.card_id !== null);
  return { first, shown: found.slice(0, limit), is_full: found.length > limit };
}

function pageOf(query: Asked, { first, shown, is_full }: Read, counted: Counted): TranscriptPage {
  const { before, of } = counted;
  const upTo = before + shown.length;
  // What came since the first page is known where the run ends.
  const total = first.total ?? (is_full ? Math.max(counted.total, upTo + 1) : upTo);
  const last = is_full ? shown.at(-1) : undefined;
  const canGoOn = first.is_timed && !first.is_partial && query.agent_id === undefined && !query.q;
  const sums = { total, of: first.of ?? Math.max(of, total), before: upTo };
  return {
    items: shown.map(lineOf),
    ...{ total, of: sums.of, before, is_partial: first.is_partial },
    ...(last && {
      next_cursor: formatLineCursor(query, {
        ...{ at: last.at ?? "", key: last.key ?? "" },
        ...(canGoOn && { counted: sums }),
      }),
    }),
  };
}

/** Each word, wherever it stands; null = there are none. */
function patternsOf(q: string): string[] | null {
  const words = wordsIn(q);
  return words.length === 0 ? null : words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}

function lineOf(row: Row): TranscriptLine {
  const {
    total: _t,
    of: _o,
    before: _b,
    is_whole: _w,
    is_run: _r,
    is_timed: _m,
    is_partial: _p,
    key: _k,
    ...line
  } = row;
  return withoutNulls<TranscriptLine>(line);
}
