-- Whether a box begins with the cards of another one is asked of its own row, by its key. Asked of base_box, the index from a box to
-- those that begin with it answered as well, as long as it was counted as small: whoever looked at one box read every box of every
-- project that has a base. base_len is set with it, and no index is about it.
CREATE OR REPLACE VIEW card_box_chunks AS
  SELECT tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled FROM box_chunks
  UNION ALL
  SELECT tenant_id, box_id, chunk_count, length - cardinality(tail), tail, tail_origins, tail_tokens, tail_untravelled
  FROM card_boxes WHERE tail IS NOT NULL
  UNION ALL
  SELECT b.tenant_id, b.box_id, k.n, k.start, k.card_ids,
    jsonb_build_array(jsonb_build_array(cardinality(k.card_ids), 'box:' || b.base_box)), k.tokens, false
  FROM card_boxes b CROSS JOIN LATERAL (
    WITH RECURSIVE base AS (
      SELECT b.base_box AS box_id, b.base_len AS upto, 1 AS depth
      UNION ALL
      SELECT a.base_box, least(a.base_len, u.upto), u.depth + 1 FROM base u CROSS JOIN LATERAL (
        SELECT x.base_box, x.base_len FROM card_boxes x
        WHERE x.tenant_id = b.tenant_id AND x.box_id = u.box_id AND x.base_len IS NOT NULL OFFSET 0) a
      WHERE u.depth < 4
    )
    SELECT c.n, c.start, CASE WHEN c.start + 64 <= u.upto THEN c.card_ids ELSE c.card_ids[:u.upto - c.start] END AS card_ids,
      CASE WHEN c.start + 64 <= u.upto OR c.start + cardinality(c.card_ids) <= u.upto THEN c.tokens
        ELSE (SELECT coalesce(sum(t.token_count), 0)::int FROM cards t
          WHERE t.tenant_id = b.tenant_id AND t.card_id = ANY (c.card_ids[:u.upto - c.start])) END AS tokens
    FROM base u CROSS JOIN LATERAL (
      SELECT o.n, o.start, o.card_ids, o.tokens FROM box_chunks o
      WHERE o.tenant_id = b.tenant_id AND o.box_id = u.box_id AND o.start < u.upto
      UNION ALL
      SELECT x.chunk_count, x.length - cardinality(x.tail), x.tail, x.tail_tokens FROM card_boxes x
      WHERE x.tenant_id = b.tenant_id AND x.box_id = u.box_id AND x.tail IS NOT NULL AND x.length - cardinality(x.tail) < u.upto
      OFFSET 0) c
  ) k
  WHERE b.base_len IS NOT NULL;
