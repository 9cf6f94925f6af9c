// A branch was not given what most of its siblings of the same profile were. Compared by words: a copy is no lack. What only
// one sibling has is its own, so a branch has at least two siblings here.
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { IS_SAID } from "./is-said";

const LACKS = `
  WITH branch AS MATERIALIZED (
    SELECT k.batch_id, t.profile_name, t.agent_turn_id, t.root_turn_id, t.context_box_id,
      (count(*) OVER (PARTITION BY k.batch_id, t.profile_name) - 1)::int AS siblings
    FROM state.pmo_batch_tasks k JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = k.agent_turn_id
    WHERE k.project_id = $1 AND k.batch_id = ANY ($2::text[])
  ), held AS MATERIALIZED (
    SELECT b.batch_id, b.profile_name, b.agent_turn_id, c.content_hash, max(c.token_count) AS tokens
    FROM branch b CROSS JOIN LATERAL ${chunksOf("b.context_box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    JOIN cards c ON c.tenant_id = $1 AND c.card_id = u.card_id AND ${IS_SAID}
    WHERE b.siblings >= 2 GROUP BY b.batch_id, b.profile_name, b.agent_turn_id, c.content_hash
  ), common AS MATERIALIZED (
    SELECT h.batch_id, h.profile_name, h.content_hash, max(h.tokens) AS tokens, count(*)::int AS holders
    FROM held h GROUP BY h.batch_id, h.profile_name, h.content_hash HAVING count(*) >= 2
  )
  SELECT b.agent_turn_id AS subject_id, b.root_turn_id, b.agent_turn_id, jsonb_build_object('cards', count(*), 'tokens', sum(c.tokens),
    'siblings', b.siblings, 'threshold', $3::int) AS figures
  FROM branch b JOIN common c ON c.batch_id = b.batch_id AND c.profile_name = b.profile_name AND c.holders * 2 > b.siblings
  LEFT JOIN held h ON h.batch_id = c.batch_id AND h.profile_name = c.profile_name AND h.content_hash = c.content_hash
    AND h.agent_turn_id = b.agent_turn_id
  WHERE h.agent_turn_id IS NULL
  GROUP BY b.agent_turn_id, b.root_turn_id, b.siblings HAVING sum(c.tokens) > $3::int`;

export const findSiblingLacks = (reader: Reader, { project_id, batch_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_sibling_lacks", LACKS, [project_id, batch_ids, limits.sibling_lacks_tokens]);
