// The same instruction words were delegated again and again: along one chain, or to the same agent in one run. The turn that
// completes the number is the alarm's subject, so that a longer loop is one alarm and not one for each turn.
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";

/** Attempts of one branch are one delegation. */
const LOOP = `
  WITH RECURSIVE swept AS MATERIALIZED (
    SELECT t.agent_turn_id, t.root_turn_id, t.agent_id, t.parent_turn_id, t.created_at, i.content_hash AS words
    FROM state.agent_turns t JOIN cards i ON i.tenant_id = $1 AND i.card_id = t.instruction_card_id
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) AND NOT t.is_human
  ), up AS (
    SELECT s.agent_turn_id AS of_id, s.agent_turn_id, s.parent_turn_id, 1 AS height FROM swept s
    UNION ALL
    SELECT u.of_id, t.agent_turn_id, t.parent_turn_id, u.height + 1
    FROM up u JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = u.parent_turn_id WHERE u.height < 64
  ), counted AS (
    SELECT s.agent_turn_id, 'chain' AS along, count(*)::int AS times
    FROM swept s JOIN up u ON u.of_id = s.agent_turn_id
    JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = u.agent_turn_id AND NOT t.is_human
    JOIN cards i ON i.tenant_id = $1 AND i.card_id = t.instruction_card_id AND i.content_hash = s.words
    GROUP BY s.agent_turn_id
    UNION ALL
    SELECT s.agent_turn_id, 'agent', count(DISTINCT coalesce(t.batch_task_id, t.agent_turn_id))::int
    FROM swept s JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_id = s.agent_id AND t.root_turn_id = s.root_turn_id
      AND (t.created_at, t.agent_turn_id) <= (s.created_at, s.agent_turn_id)
    JOIN cards i ON i.tenant_id = $1 AND i.card_id = t.instruction_card_id AND i.content_hash = s.words
    GROUP BY s.agent_turn_id
  )
  SELECT DISTINCT ON (s.agent_turn_id) s.agent_turn_id AS subject_id, s.root_turn_id, s.agent_turn_id,
    jsonb_build_object('times', c.times, 'along', c.along, 'threshold', $3::int) AS figures
  FROM swept s JOIN counted c USING (agent_turn_id) WHERE c.times = $3::int ORDER BY s.agent_turn_id, c.along DESC`;

export const findLoops = (reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_loop", LOOP, [project_id, agent_turn_ids, limits.loop_times]);
