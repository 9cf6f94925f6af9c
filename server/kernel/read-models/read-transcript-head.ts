// Who did what in a run and where it went wrong: its agents with counts, the message that an imported log names as the mistake, the turns
// that failed, and the expected answer next to the given one.
import type { TranscriptHead } from "@/server/contract/answers/transcript";
import { GIVEN_CHARS_MAX, TRANSCRIPT_TURNS_MAX } from "@/server/contract/transcript";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { readProject } from "../roster/read-project";
import { LINES } from "./transcript-sql";

const AGENTS_MAX = 500;
const WRONG_MAX = 20;

const WRONG = `'agent_turn_id', w.agent_turn_id, 'agent_id', w.agent_id, 'headcode', w.headcode, 'status', w.status, 'card_id', w.card_id, 'reason', w.reason`;

const HEAD = `
  WITH ${LINES}, actor AS (
    SELECT t.agent_id, min(t.created_at) AS began_at, count(*)::int AS turns, bool_or(t.is_human) AS is_human,
      count(*) FILTER (WHERE t.status IN ('failed', 'timeout'))::int AS failed, count(*) FILTER (WHERE t.mark IS NOT NULL)::int AS mistakes
    FROM run t GROUP BY 1
  ), spoke AS (
    SELECT l."from" AS agent_id, count(*) FILTER (WHERE l.kind IN ('asked', 'said', 'answered', 'asked_person'))::int AS said,
      count(*) FILTER (WHERE l.kind IN ('called', 'asked_person'))::int AS calls
    FROM line l WHERE l."from" IS NOT NULL GROUP BY 1
  ), marked AS (
    SELECT t.agent_turn_id, t.agent_id, t.headcode, t.status, t.mark ->> 'card_id' AS card_id, coalesce(t.mark ->> 'reason', '') AS reason
    FROM run t WHERE t.mark ->> 'kind' = 'mistake' ORDER BY t.created_at, t.agent_turn_id LIMIT ${WRONG_MAX}
  ), failure AS (
    SELECT t.agent_turn_id, t.agent_id, t.headcode, t.status, t.deliverable_card_id AS card_id,
      coalesce(left(t.error, 1000), '') AS reason, t.ended_at, row_number() OVER (ORDER BY t.ended_at, t.agent_turn_id) AS n
    FROM run t WHERE t.status IN ('failed', 'timeout')
  ), last_said AS (
    SELECT l.card_id, l.agent_turn_id, c.content ->> 'text' AS text FROM line l JOIN cards c ON c.tenant_id = $1 AND c.card_id = l.card_id
    WHERE l.history_index IS NOT NULL AND c.deleted_at IS NULL ORDER BY l.history_index DESC LIMIT 1
  )
  SELECT r.root_turn_id, r.number, r.title, r.source, r.metadata ->> 'times' IS DISTINCT FROM 'synthetic' AS has_times,
    EXISTS (SELECT 1 FROM run t WHERE t.ended_at IS NULL) AS is_live, (SELECT count(*)::int FROM run) AS turns,
    r.metadata ->> 'question' AS question, r.metadata ->> 'ground_truth' AS expected,
    (SELECT jsonb_build_object('card_id', s.card_id, 'agent_turn_id', s.agent_turn_id, 'text', right(s.text, ${GIVEN_CHARS_MAX}),
      'letters', length(s.text)) FROM last_said s WHERE s.text IS NOT NULL) AS given,
    (SELECT count(*)::int FROM actor) AS agents_total,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', a.agent_id, 'name', coalesce(nullif(g.display_name, ''), ''),
        'profile_name', g.profile_name, 'is_human', a.is_human, 'turns', a.turns, 'failed', a.failed, 'said', coalesce(s.said, 0),
        'calls', coalesce(s.calls, 0), 'mistakes', a.mistakes) ORDER BY a.began_at, a.is_human DESC, a.agent_id), '[]')
      FROM (SELECT o.agent_id, o.began_at, o.turns, o.is_human, o.failed, o.mistakes FROM actor o ORDER BY o.began_at, o.is_human DESC, o.agent_id LIMIT ${AGENTS_MAX}) a
      JOIN resource.project_agents g ON g.project_id = $1 AND g.agent_id = a.agent_id
      LEFT JOIN spoke s ON s.agent_id = a.agent_id) AS agents,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(${WRONG})), '[]') FROM marked w) AS mistakes,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(${WRONG}) ORDER BY w.n), '[]') FROM failure w WHERE w.n <= ${WRONG_MAX}) AS failures,
    (SELECT count(*)::int FROM failure) AS failures_total
  FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2`;

type Row = Omit<TranscriptHead, "question" | "expected" | "given" | "is_partial"> & {
  turns: number;
  question: string | null;
  expected: string | null;
  given: TranscriptHead["given"] | null;
};

/** not_found for an unknown run and for one of another project alike. Three statements. */
export async function readTranscriptHead(
  kernel: Kernel,
  input: { project_id: string; root_turn_id: string },
): Promise<TranscriptHead & { live_cursor: string }> {
  const { project_id, root_turn_id } = input;
  await readProject(kernel, project_id);
  const live_cursor = await readCursor(kernel, project_id);
  const [row] = await read<Row>(kernel, "transcript_head", HEAD, [project_id, root_turn_id]);
  if (!row) throw await noRun(kernel, { project_id, root_turn_id });
  const { turns, question, expected, given, mistakes, failures, ...head } = row;
  return {
    ...head,
    mistakes: mistakes.map(withCard),
    failures: failures.map(withCard),
    ...(question !== null && { question }),
    ...(expected !== null && { expected }),
    ...(given && { given }),
    is_partial: turns >= TRANSCRIPT_TURNS_MAX,
    live_cursor,
  };
}

type Wrong = TranscriptHead["mistakes"][number];

const withCard = ({ card_id, ...wrong }: Omit<Wrong, "card_id"> & { card_id?: string | null }): Wrong => ({
  ...wrong,
  ...(card_id != null && { card_id }),
});
