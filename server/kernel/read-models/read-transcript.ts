// A page of a run's transcript: who said what to whom, in the order of time. What it costs follows the run, in three statements.
import type { TranscriptLine, TranscriptPage } from "@/server/contract/answers/transcript";
import { LINE_CHARS_MAX, TRANSCRIPT_TURNS_MAX, type TranscriptQuery } from "@/server/contract/transcript";
import { AT } from "../cardbox/page-cursor";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";
import { formatLineCursor, parseLineCursor } from "./transcript-cursor";
import { LINES } from "./transcript-sql";

const GONE = "(c.deleted_at IS NOT NULL OR coalesce(c.expires_at <= now(), false))";

// The same words as server/contract/said-text.ts. The texts are cut in the database: a page of results of a megabyte each would be five hundred megabytes.
const PAGE = `
  WITH ${LINES}, mine AS MATERIALIZED (
    SELECT l.card_id, l.agent_turn_id, l.to_turn_id, l.kind, l."from", l.by, l."to", l.at, l.history_index, l.key FROM line l
    WHERE $3::text IS NULL OR l."from" = $3 OR l."to" = $3
  ), start AS (
    SELECT s.at, s.key FROM mine s
    WHERE ($6::text IS NOT NULL AND s.card_id = $6) OR ($7::text IS NOT NULL AND $7 IN (s.agent_turn_id, s.to_turn_id))
    ORDER BY (s.card_id = $6) DESC NULLS LAST, s.at, s.key LIMIT 1
  ), page AS (
    SELECT l.card_id, l.agent_turn_id, l.to_turn_id, l.kind, l."from", l.by, l."to", l.at, l.history_index, l.key FROM mine l
    WHERE ($4::timestamptz IS NULL OR (l.at, l.key) > ($4::timestamptz, $5::text))
      AND ($4::timestamptz IS NOT NULL OR NOT EXISTS (SELECT 1 FROM start) OR (l.at, l.key) >= (SELECT s.at, s.key FROM start s))
    ORDER BY l.at, l.key LIMIT $8
  ), sums AS (
    SELECT (SELECT count(*)::int FROM mine) AS total, (SELECT count(*)::int FROM run) AS turns,
      (SELECT count(*)::int FROM mine b WHERE (b.at, b.key) < (SELECT p.at, p.key FROM page p ORDER BY p.at, p.key LIMIT 1)) AS before,
      EXISTS (SELECT 1 FROM told) AS is_run
  )
  SELECT u.total, u.turns, u.before, u.is_run, p.key, p.key AS line_id, p.card_id, p.agent_turn_id, p.to_turn_id, p.kind, p."from", p.by,
    p."to", w.headcode, k.headcode AS to_headcode, coalesce(nullif(f.display_name, ''), f.agent_id) AS from_name,
    coalesce(nullif(g.display_name, ''), g.agent_id) AS to_name, ${AT("p.at")}, c.metadata ->> 'type' AS type, p.history_index,
    CASE WHEN ${GONE} THEN '' ELSE left(c.text, ${LINE_CHARS_MAX}) END AS text,
    CASE WHEN ${GONE} THEN 0 ELSE length(c.text) END AS letters,
    coalesce(c.content ->> 'tool_name', c.metadata ->> 'function_name') AS tool_name, c.tool_call_id,
    coalesce(c.content ->> 'status', c.metadata ->> 'status') AS status,
    CASE WHEN c.metadata -> 'mark' ->> 'kind' = 'mistake' THEN coalesce(c.metadata -> 'mark' ->> 'reason', '') END AS mistake,
    CASE WHEN ${GONE} THEN true END AS is_deleted
  FROM sums u LEFT JOIN page p ON true LEFT JOIN run w ON w.agent_turn_id = p.agent_turn_id LEFT JOIN run k ON k.agent_turn_id = p.to_turn_id
  LEFT JOIN resource.project_agents f ON f.project_id = $1 AND f.agent_id = p."from"
  LEFT JOIN resource.project_agents g ON g.project_id = $1 AND g.agent_id = p."to" LEFT JOIN LATERAL (
    SELECT c.content, c.metadata, c.tool_call_id, c.deleted_at, c.expires_at, CASE c.content ->> 'kind'
      WHEN 'text' THEN c.content ->> 'text'
      WHEN 'tool_call' THEN c.content ->> 'arguments'
      WHEN 'tool_result' THEN coalesce(c.content -> 'error' ->> 'message', c.content ->> 'result', '')
      WHEN 'fields_schema' THEN c.content ->> 'fields'
      ELSE coalesce((SELECT string_agg(concat(f ->> 'name', ': ', f ->> 'value'), E'\\n\\n' ORDER BY n)
        FROM jsonb_path_query(c.content, 'lax $.data.fields[*] ? (exists(@.name))') WITH ORDINALITY AS f(f, n)), c.content ->> 'data', '')
    END AS text
    FROM cards c WHERE c.tenant_id = $1 AND c.card_id = p.card_id OFFSET 0
  ) c ON true
  ORDER BY p.at, p.key`;

type Line = Omit<TranscriptLine, "is_deleted"> & { is_deleted?: boolean; key: string };
type Row = { [K in keyof PageRow<Line>]: PageRow<Line>[K] | null } & {
  total: number;
  turns: number;
  before: number;
  is_run: boolean;
};

type Asked = TranscriptQuery & { project_id: string; root_turn_id: string };

/** not_found for an unknown run and for one of another project; bad_request for a cursor of another run. */
export async function readTranscript(kernel: Kernel, query: Asked): Promise<TranscriptPage & { live_cursor: string }> {
  const { project_id, root_turn_id, limit } = query;
  await readProject(kernel, project_id);
  const after = parseLineCursor(query, query.cursor);
  // Read first: what is written meanwhile is listed, and its frame tells of it once more.
  const live_cursor = await readCursor(kernel, project_id);
  const rows = await read<Row>(kernel, "transcript", PAGE, [
    project_id,
    root_turn_id,
    query.agent_id ?? null,
    after?.at ?? null,
    after?.key ?? null,
    query.from_card ?? null,
    query.from_turn ?? null,
    limit + 1,
  ]);
  const [first] = rows;
  if (!first?.is_run) throw await noRun(kernel, { project_id, root_turn_id });
  const found = rows.filter((row) => row.card_id !== null);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(lineOf),
    total: first.total,
    before: shown.length === 0 ? first.total : first.before,
    is_partial: first.turns >= TRANSCRIPT_TURNS_MAX,
    ...(last && { next_cursor: formatLineCursor(query, { at: last.at ?? "", key: last.key ?? "" }) }),
    live_cursor,
  };
}

const lineOf = ({ total: _t, turns: _n, before: _b, is_run: _r, key: _k, ...row }: Row): TranscriptLine =>
  withoutNulls<TranscriptLine>(row);
