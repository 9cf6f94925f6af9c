// One card was sent many times, and cost much together. Counted over all requests of the project that hold it. A card that has
// its alarm is not counted again, so a count never reads many more boxes than the threshold. All are counted together: card by card,
// a run that had sent ten thousand of them was given up after half a minute, again and again.
import { chunkAt, chunksOf } from "../cardbox/chunks-of";
import { heldIn } from "../cardbox/held-in";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { saidCard } from "./is-said";
import { sentRequests } from "./sent-requests-sql";

const PAID = `
  WITH sent AS MATERIALIZED (
    SELECT u.card_id, max(t.agent_turn_id) AS agent_turn_id, max(t.root_turn_id) AS root_turn_id
    FROM state.agent_turns t
    CROSS JOIN LATERAL ${sentRequests("t.agent_turn_id")} s
    CROSS JOIN LATERAL ${chunksOf("s.request_box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) GROUP BY u.card_id
  ), fresh AS MATERIALIZED (
    SELECT s.card_id, s.agent_turn_id, s.root_turn_id, c.token_count
    FROM sent s CROSS JOIN LATERAL ${saidCard("s.card_id")} c
    WHERE c.token_count > 0 AND NOT EXISTS (SELECT 1 FROM state.alarms a
      WHERE a.project_id = $1 AND a.rule = 'paid_often' AND a.subject_id = s.card_id)
  ), held AS MATERIALIZED (
    SELECT h.box_id, h.n FROM ${heldIn("ARRAY(SELECT f.card_id FROM fresh f)")} h
    CROSS JOIN LATERAL (SELECT 1 FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = h.box_id AND b.kind = 'request' OFFSET 0) b
  ), paid AS MATERIALIZED (
    SELECT u.card_id, count(DISTINCT h.box_id)::int AS times
    FROM held h CROSS JOIN LATERAL ${chunkAt("h.box_id", "h.n")} k CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    GROUP BY u.card_id HAVING count(DISTINCT h.box_id) > $3::int
  )
  SELECT f.card_id AS subject_id, f.root_turn_id, f.agent_turn_id, jsonb_build_object('times', n.times,
    'tokens', n.times::bigint * f.token_count, 'threshold', $3::int, 'threshold_tokens', $4::int) AS figures
  FROM fresh f JOIN paid n USING (card_id)
  WHERE n.times::bigint * f.token_count > $4::int`;

export const findPaidOften = (reader: Reader, { project_id, agent_turn_ids, limits }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_paid_often", PAID, [
    project_id,
    agent_turn_ids,
    limits.paid_often_times,
    limits.paid_often_tokens,
  ]);
