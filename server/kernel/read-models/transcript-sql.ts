// The lines of a run's transcript as a relation, for the pages of it and for the sums above them.
import { TRANSCRIPT_TURNS_MAX } from "@/server/contract/transcript";

/** What a caller hands over beside its task, and what Switchyard adds: nobody said it. */
const UNSAID = ["task.instruction", "task.context", "task.input", "task.result_fields", "context.pack"];

/** $1 is the project, $2 the root turn. */
const TURNS_OF_RUN = `
  SELECT t.agent_turn_id, t.agent_id, t.parent_turn_id, t.headcode, t.is_human, t.primitive, t.instruction_card_id, t.task_index,
    t.mark, t.status, t.error, t.deliverable_card_id, t.created_at, t.ended_at
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = $2`;
const WHOLE_RUN = `${TURNS_OF_RUN}
  ORDER BY t.created_at, t.agent_turn_id LIMIT ${TRANSCRIPT_TURNS_MAX}`;

/** Cards of a turn that has ended are as old as its end; a minute for clocks that were set back meanwhile. */
const LATE = "interval '1 minute'";

/**
 * Turns that can have lines behind a place, as many as fill a page: $3 is its time, $5 the lines of a page and one. Each turn of an agent
 * begins with a line, its task, so turns that begin after the last of so many have none of these. Without a `stop` the run ends first.
 */
const LINES_BEHIND_TURNS = `${TURNS_OF_RUN} AND (t.ended_at IS NULL OR t.ended_at >= $3::timestamptz - ${LATE})
    AND t.created_at <= coalesce((SELECT s.created_at FROM stop s), 'infinity')`;

/**
 * Cards are found by the turn that wrote them, so one that five turns inherited is one line. A step that only called tools said nothing. A task is told when its turn is made, from
 * the turn's own row: what a fork or a second try is given was written long before. An imported log has no clock: its messages
 * stand where the log has them, on the clock that its turns have (importers/who-and-when/draft.ts, tickOf). Of what one
 * transaction wrote, tasks come first, then words, calls, deliverables and results.
 */
const linesOf = (turns: string): string => `
  run AS MATERIALIZED (${turns}),
  told AS MATERIALIZED (
    SELECT r.source, r.metadata ->> 'times' = 'synthetic' AS has_no_times,
      (SELECT min(t.created_at) FROM run t) AS began_at
    FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2
  ),
  request AS MATERIALIZED (
    SELECT h.tool_call_id FROM run t JOIN state.human_requests h ON h.project_id = $1 AND h.agent_turn_id = t.agent_turn_id
  ),
  line AS MATERIALIZED (
    SELECT c.card_id, coalesce(p.agent_turn_id, t.agent_turn_id) AS agent_turn_id,
      CASE WHEN p.agent_turn_id IS NOT NULL THEN t.agent_turn_id END AS to_turn_id, 'asked' AS kind,
      p.agent_id AS "from", NULL::text AS by, t.agent_id AS "to", t.created_at AS at, NULL::int AS history_index,
      concat('0', lpad(coalesce(t.task_index, 0)::text, 6, '0'), md5(t.agent_turn_id)) COLLATE "C" AS key
    FROM run t LEFT JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id
    JOIN cards c ON c.tenant_id = $1 AND c.card_id = t.instruction_card_id
    WHERE NOT t.is_human AND c.metadata ->> 'history_index' IS NULL AND c.metadata ->> 'source' IS DISTINCT FROM 'question'
    UNION ALL
    SELECT c.card_id, t.agent_turn_id, coalesce(began.agent_turn_id, CASE WHEN x.kind IN ('answered', 'failed') AND t.primitive <> 'import'
        THEN p.agent_turn_id END),
      CASE WHEN began.agent_turn_id IS NOT NULL THEN 'asked' ELSE x.kind END,
      CASE WHEN x.kind <> 'person_answered' THEN t.agent_id END,
      CASE WHEN x.kind = 'person_answered' THEN c.decided_by END,
      coalesce(began.agent_id, CASE WHEN x.kind = 'person_answered' THEN t.agent_id
        WHEN x.kind IN ('answered', 'failed') AND t.primitive <> 'import' THEN p.agent_id END),
      CASE WHEN m.has_no_times AND c.history_index IS NOT NULL THEN m.began_at + 2 * (c.history_index + 1) * interval '1 ms'
        WHEN m.has_no_times AND c.source = 'question' THEN m.began_at
        WHEN m.has_no_times THEN coalesce(t.ended_at, c.created_at) ELSE c.created_at END,
      c.history_index,
      concat(CASE x.kind WHEN 'said' THEN '1' WHEN 'called' THEN '2' WHEN 'asked_person' THEN '2' WHEN 'person_answered' THEN '3'
        WHEN 'answered' THEN '4' WHEN 'failed' THEN '4' ELSE '5' END, '000000', md5(c.card_id)) COLLATE "C"
    FROM told m CROSS JOIN run t CROSS JOIN LATERAL (
      SELECT c.card_id, c.metadata ->> 'type' AS type, c.metadata ->> 'decided_by' AS decided_by, c.metadata ->> 'source' AS source,
        (c.metadata ->> 'history_index')::int AS history_index, c.metadata ->> 'is_fallback' AS is_fallback, c.tool_call_id, c.token_count,
        c.created_at
      FROM cards c WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = t.agent_turn_id
        AND c.metadata ->> 'agent_turn_id' IS NOT NULL OFFSET 0
    ) c
    CROSS JOIN LATERAL (SELECT CASE
      WHEN c.is_fallback IS NOT NULL OR c.type = 'agent.error' THEN 'failed'
      WHEN c.type = 'task.deliverable' THEN 'answered'
      WHEN c.decided_by IS NOT NULL THEN 'person_answered'
      WHEN c.type = 'tool.call' THEN CASE WHEN EXISTS (SELECT 1 FROM request q WHERE q.tool_call_id = c.tool_call_id)
        THEN 'asked_person' ELSE 'called' END
      WHEN c.type = 'tool.result' THEN 'result' ELSE 'said' END AS kind) x
    LEFT JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id
    LEFT JOIN LATERAL (SELECT b.agent_turn_id, b.agent_id FROM run b
      WHERE c.history_index IS NOT NULL AND c.type = 'task.instruction' AND b.instruction_card_id = c.card_id AND NOT b.is_human
      ORDER BY b.created_at, b.agent_turn_id LIMIT 1) began ON true
    WHERE c.history_index IS NOT NULL OR c.source = 'question'
      OR (NOT (c.type = 'agent.thought' AND c.token_count = 0) AND NOT c.type = ANY (ARRAY['${UNSAID.join("', '")}']) AND c.type NOT LIKE 'sys.%'
        AND (c.type NOT LIKE 'meta.%' OR c.decided_by IS NOT NULL) AND NOT (t.is_human AND c.type = 'task.deliverable'))
  )`;

export const LINES = linesOf(WHOLE_RUN);

/** Only of a run with times of its own, and of all its agents. */
export const LINES_BEHIND = `
  stop AS MATERIALIZED (
    SELECT t.created_at FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.created_at > $3::timestamptz
      AND NOT t.is_human AND t.instruction_card_id IS NOT NULL
    ORDER BY t.created_at, t.agent_turn_id OFFSET $5 - 1 LIMIT 1
  ),
  ${linesOf(LINES_BEHIND_TURNS)}`;
