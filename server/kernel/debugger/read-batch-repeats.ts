// What a fork hands over again and again: how its branches' contexts begin alike, and which of their cards are copies. Cards are
// compared by id, which is what a context box holds. A retried task keeps its context, so it counts once. One statement.

import type { BatchRepeats } from "@/server/contract/answers/batch-repeats";
import { noBatch } from "../batch/no-batch";
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";

/** A fork of ten thousand would have millions of places. */
const TRACKS_MAX = 256;

const REPEATS = `
  WITH every AS MATERIALIZED (
    SELECT t.context_box_id AS box_id, min(t.task_index) AS task_index FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.batch_id = $2 GROUP BY t.context_box_id
  ), box AS MATERIALIZED (
    SELECT e.box_id FROM every e ORDER BY e.task_index, e.box_id LIMIT ${TRACKS_MAX}
  ), held AS MATERIALIZED (
    SELECT k.start + u.n - 1 AS place, u.card_id FROM box b
    CROSS JOIN LATERAL ${chunksOf("b.box_id")} k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
  ), weight AS MATERIALIZED (
    SELECT h.card_id, h.times, c.token_count AS tokens FROM (SELECT i.card_id, count(*) AS times FROM held i GROUP BY i.card_id) h
    JOIN cards c ON c.tenant_id = $1 AND c.card_id = h.card_id
  ), place AS (
    SELECT h.place, min(h.card_id) AS card_id,
      count(*) = (SELECT count(*) FROM box) AND min(h.card_id) = max(h.card_id) AS is_same FROM held h GROUP BY h.place
  ), beginning AS (
    SELECT count(*)::int AS cards, coalesce(sum(w.tokens), 0)::float8 AS tokens FROM place p JOIN weight w ON w.card_id = p.card_id
    WHERE p.place < coalesce((SELECT min(d.place) FROM place d WHERE NOT d.is_same), 2147483647)
  )
  SELECT m.batch_id, (SELECT count(*)::int FROM box) AS tracks, (SELECT count(*)::int FROM every) AS tracks_total,
    (SELECT count(*)::int FROM held) AS cards,
    (SELECT coalesce(sum(w.tokens * w.times), 0)::float8 FROM weight w) AS tokens,
    (SELECT b.cards FROM beginning b) AS same_cards, (SELECT b.tokens FROM beginning b) AS same_tokens,
    (SELECT coalesce(sum(w.tokens), 0)::float8 FROM weight w WHERE w.times > 1) AS first_copies,
    (SELECT coalesce(sum(w.tokens * (w.times - 1)), 0)::float8 FROM weight w WHERE w.times > 1) AS repeats,
    (SELECT coalesce(sum(w.tokens), 0)::float8 FROM weight w WHERE w.times = 1) AS unique_tokens
  FROM state.pmo_batches m WHERE m.project_id = $1 AND m.batch_id = $2`;

type Row = Omit<BatchRepeats, "same_first" | "unique"> & {
  same_cards: number;
  same_tokens: number;
  unique_tokens: number;
};

/** not_found for an unknown batch and for one of another project alike. */
export async function readBatchRepeats(
  reader: Reader,
  { project_id, batch_id }: { project_id: string; batch_id: string },
): Promise<BatchRepeats> {
  const [row] = await read<Row>(reader, "batch_repeats", REPEATS, [project_id, batch_id]);
  if (!row) throw noBatch(project_id, batch_id);
  const { same_cards, same_tokens, unique_tokens, ...rest } = row;
  return { ...rest, same_first: { cards: same_cards, tokens: same_tokens }, unique: unique_tokens };
}
