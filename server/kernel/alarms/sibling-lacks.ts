// A branch was not given what most of its siblings of the same profile were. Compared by words: a copy is no lack. What only
// one sibling has is its own, so a branch has at least two siblings here.
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { saidCard } from "./is-said";

// What all siblings were lent by one base is no lack of anybody: only what comes after it is compared, and the words of the base are
// read where something lacks. Card by card, a fork of 64 with ten thousand inherited cards took five seconds. What a
// branch lacks is held by more than half of its siblings, so it weighs less than 2 x the tokens of all branches / siblings. If that is within
// the limit, no card is read (may_lack). The same words may weigh differently on two cards: they weigh what they do on average.
const LACKS = `
  WITH branch AS MATERIALIZED (
    SELECT k.batch_id, t.profile_name, t.agent_turn_id, t.root_turn_id, t.context_box_id, (count(*) OVER w - 1)::int AS siblings,
      2 * sum(x.token_sum) OVER w > $3::int * (count(*) OVER w - 1) AS may_lack,
      CASE WHEN count(x.base_box) OVER w = count(*) OVER w AND min(x.base_box) OVER w = max(x.base_box) OVER w
        AND min(x.base_len) OVER w = max(x.base_len) OVER w THEN x.base_len ELSE 0 END AS lent
    FROM state.pmo_batch_tasks k CROSS JOIN LATERAL (SELECT t.profile_name, t.agent_turn_id, t.root_turn_id, t.context_box_id
      FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = k.agent_turn_id OFFSET 0) t
    LEFT JOIN LATERAL (SELECT b.base_box, b.base_len, b.token_sum FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = t.context_box_id OFFSET 0) x ON true
    WHERE k.project_id = $1 AND k.batch_id = ANY ($2::text[]) WINDOW w AS (PARTITION BY k.batch_id, t.profile_name)
  ), held AS MATERIALIZED (
    SELECT b.batch_id, b.profile_name, b.agent_turn_id, c.content_hash, max(c.token_count) AS tokens
    FROM branch b CROSS JOIN LATERAL ${chunksOf("b.context_box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    CROSS JOIN LATERAL ${saidCard("u.card_id")} c
    WHERE b.siblings >= 2 AND b.may_lack AND k.start >= b.lent GROUP BY b.batch_id, b.profile_name, b.agent_turn_id, c.content_hash
  ), common AS MATERIALIZED (
    SELECT h.batch_id, h.profile_name, h.content_hash, avg(h.tokens) AS tokens, count(*)::int AS holders
    FROM held h GROUP BY h.batch_id, h.profile_name, h.content_hash HAVING count(*) >= 2
  ), lacking AS MATERIALIZED (
    SELECT b.*, c.content_hash, c.tokens
    FROM branch b JOIN common c ON c.batch_id = b.batch_id AND c.profile_name = b.profile_name AND c.holders * 2 > b.siblings
    LEFT JOIN held h ON h.batch_id = c.batch_id AND h.profile_name = c.profile_name AND h.content_hash = c.content_hash
      AND h.agent_turn_id = b.agent_turn_id
    WHERE h.agent_turn_id IS NULL
  ), lent_words AS MATERIALIZED (
    SELECT DISTINCT o.batch_id, o.profile_name, c.content_hash
    FROM (SELECT DISTINCT ON (l.batch_id, l.profile_name) l.batch_id, l.profile_name, l.context_box_id, l.lent
      FROM lacking l WHERE l.lent > 0) o
    CROSS JOIN LATERAL ${chunksOf("o.context_box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    CROSS JOIN LATERAL ${saidCard("u.card_id")} c
    WHERE k.start < o.lent
  )
  SELECT l.agent_turn_id AS subject_id, l.root_turn_id, l.agent_turn_id, jsonb_build_object('cards', count(*), 'tokens', round(sum(l.tokens)),
    'siblings', l.siblings, 'threshold', $3::int) AS figures
  FROM lacking l LEFT JOIN lent_words w ON w.batch_id = l.batch_id AND w.profile_name = l.profile_name AND w.content_hash = l.content_hash
  WHERE w.content_hash IS NULL
  GROUP BY l.agent_turn_id, l.root_turn_id, l.siblings HAVING sum(l.tokens) > $3::int`;

export const findSiblingLacks = (reader: Reader, { project_id, batch_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_sibling_lacks", LACKS, [project_id, batch_ids, limits.sibling_lacks_tokens]);
