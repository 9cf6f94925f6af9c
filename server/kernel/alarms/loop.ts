// The same instruction words were delegated again and again: along one chain, or to the same agent in one run. The turn that
// completes the number is the alarm's subject, so that a longer loop is one alarm and not one for each turn.
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";

/** The hash of what `card` says, which is the instruction of a turn. */
const wordsOf = (card: string): string =>
  `(SELECT w.content_hash AS words FROM cards w WHERE w.tenant_id = $1 AND w.card_id = ${card} OFFSET 0)`;

/**
 * Attempts of one branch are one delegation. Each turn is found by its key, and each row of `up` knows what it is compared with: joined
 * as sets, the project's turns and cards were read three times for each set of swept turns. The run is compared by IS NOT DISTINCT
 * FROM: by `=`, all turns of the run were read to find those of one agent. Words are read only where `$3` repeats are possible: the turn is the
 * `$3`rd or a later one of its chain (a person at the top does not count), or its agent has had `$3` turns.
 */
const LOOP = `
  WITH RECURSIVE swept AS MATERIALIZED (
    SELECT t.agent_turn_id, t.root_turn_id, t.agent_id, t.parent_turn_id, t.created_at, t.may_chain, t.may_repeat, i.words
    FROM (SELECT o.agent_turn_id, o.root_turn_id, o.agent_id, o.parent_turn_id, o.created_at, o.instruction_card_id,
        o.depth >= $3::int OR (o.depth + 1 >= $3::int AND (SELECT NOT r.is_human FROM state.agent_turns r
          WHERE r.project_id = $1 AND r.agent_turn_id = o.root_turn_id)) AS may_chain,
        (SELECT count(*) FROM (SELECT 1 FROM state.agent_turns a WHERE a.project_id = $1 AND a.agent_id = o.agent_id LIMIT $3::int) a) >= $3::int AS may_repeat
      FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = ANY ($2::text[]) AND NOT o.is_human OFFSET 0) t
    CROSS JOIN LATERAL ${wordsOf("t.instruction_card_id")} i
    WHERE t.may_chain OR t.may_repeat
  ), up AS (
    SELECT s.agent_turn_id AS subject_id, s.root_turn_id, s.words, s.parent_turn_id, true AS is_same, 1 AS height FROM swept s WHERE s.may_chain
    UNION ALL
    SELECT u.subject_id, u.root_turn_id, u.words, t.parent_turn_id, t.is_same, u.height + 1
    FROM up u CROSS JOIN LATERAL (
      SELECT p.parent_turn_id, NOT p.is_human AND i.words IS NOT DISTINCT FROM u.words AS is_same
      FROM state.agent_turns p LEFT JOIN LATERAL ${wordsOf("p.instruction_card_id")} i ON true
      WHERE p.project_id = $1 AND p.agent_turn_id = u.parent_turn_id OFFSET 0) t
    WHERE u.height < 64
  ), counted AS (
    SELECT u.subject_id, u.root_turn_id, 'chain' AS along, count(*)::int AS times
    FROM up u WHERE u.is_same GROUP BY u.subject_id, u.root_turn_id
    UNION ALL
    SELECT s.agent_turn_id, s.root_turn_id, 'agent', n.times FROM swept s CROSS JOIN LATERAL (
      SELECT count(DISTINCT coalesce(t.batch_task_id, t.agent_turn_id))::int AS times
      FROM state.agent_turns t CROSS JOIN LATERAL ${wordsOf("t.instruction_card_id")} i
      WHERE t.project_id = $1 AND t.agent_id = s.agent_id AND t.root_turn_id IS NOT DISTINCT FROM s.root_turn_id
        AND (t.created_at, t.agent_turn_id) <= (s.created_at, s.agent_turn_id) AND i.words = s.words) n
    WHERE s.may_repeat
  )
  SELECT DISTINCT ON (c.subject_id) c.subject_id, c.root_turn_id, c.subject_id AS agent_turn_id,
    jsonb_build_object('times', c.times, 'along', c.along, 'threshold', $3::int) AS figures
  FROM counted c WHERE c.times = $3::int ORDER BY c.subject_id, c.along DESC`;

export const findLoops = (reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_loop", LOOP, [project_id, agent_turn_ids, limits.loop_times]);
