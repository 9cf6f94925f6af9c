-- A context that is handed over whole is named, not copied: a box may begin with the first cards of another one. Before, each of 64
-- branches had a copy of the chunks that it was given, 157 rows for 10,000 cards.

-- The rows of a run go only when boxes of others have what they named of it: that is a phase of its own now, and no earlier program knows
-- either. One that still runs begins a deletion, and goes on with none that would take what others only name. Before the boxes are locked:
-- in this order deletions lock.
ALTER TABLE state.deletions DROP CONSTRAINT deletions_phase_check;
UPDATE state.deletions SET phase = 'lay' WHERE phase = 'purge';
ALTER TABLE state.deletions ADD CONSTRAINT deletions_phase_check CHECK (phase IN ('close', 'settle', 'lay', 'rows', 'erase', 'settle_cards',
  'drop', 'requests', 'cards', 'done'));

-- The box whose first base_len cards this one begins with, in their order; its own chunks and its tail come after them. Boxes are only
-- appended to, so those cards stay what they are. Null: all of the box is its own, as in every box of before.
ALTER TABLE card_boxes ADD COLUMN base_box text, ADD COLUMN base_len integer;

-- From a box to those that begin with it.
CREATE INDEX card_boxes_by_base ON card_boxes (base_box) WHERE base_box IS NOT NULL;

-- What a box begins with is shown as if it had been copied: the same places, the numbers of the chunks that it is read from, and the
-- box that was handed over as the origin. A base may have one itself, up to four. The last chunk may have grown since: its first cards count.
-- Nothing that never travels is handed over so. Of what is further below, no more counts than the box above still names: while the cards
-- of a box are copied into it, its own base is longer than what is left to it.
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
        WHERE x.tenant_id = b.tenant_id AND x.box_id = u.box_id AND x.base_box IS NOT NULL OFFSET 0) a
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
  WHERE b.base_box IS NOT NULL;

-- So that the planner knows that few boxes have one.
ANALYZE card_boxes;
