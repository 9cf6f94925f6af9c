-- A box of up to 64 cards is one row: its last chunk stands in the box's own row. Before, each box had a row of chunks beside its
-- own, with two more index entries, and one more for every card in it.

-- In the order in which units lock.
LOCK TABLE cards, card_boxes, card_box_chunks IN ACCESS EXCLUSIVE MODE;

-- The box that a card was written for first: that box needs no index to be found by the card. Null for the cards of before, and where
-- it is not known when the card is stored.
ALTER TABLE cards ADD COLUMN born_box text;
ALTER TABLE card_boxes
  -- Chunks before the tail: rows of box_chunks.
  ADD COLUMN chunk_count integer NOT NULL DEFAULT 0,
  ADD COLUMN tail_tokens integer,
  ADD COLUMN tail_untravelled boolean,
  ADD COLUMN tail_origins jsonb,
  -- Ids in the tail that were not written for this box. Null = none: only boxes that carry others' cards are in its index.
  ADD COLUMN carried text[],
  -- Last, because it is what changes: the log has the rest of the row only once.
  ADD COLUMN tail text[];
-- A tail stays in the row and is not compressed: packed and unpacked, it would be written whole with every card that is added.
ALTER TABLE card_boxes SET (toast_tuple_target = 4080);

CREATE SCHEMA IF NOT EXISTS before_lean;
ALTER TABLE card_box_chunks DROP CONSTRAINT card_box_chunks_tenant_id_box_id_fkey;
DROP INDEX card_box_chunks_by_card;
ALTER TABLE card_box_chunks SET SCHEMA before_lean;

CREATE TABLE box_chunks (
  tenant_id text NOT NULL,
  box_id    text NOT NULL,
  n         integer NOT NULL,
  start     integer NOT NULL,
  card_ids  text[] NOT NULL,
  origins   jsonb NOT NULL,
  tokens    integer NOT NULL,
  has_untravelled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, box_id, n)
);

-- A box whose last chunk does not end where the box does keeps all of its chunks as rows: its tail would begin somewhere else.
UPDATE card_boxes b SET chunk_count = c.n, tail = c.card_ids, carried = c.card_ids, tail_origins = c.origins, tail_tokens = c.tokens,
  tail_untravelled = c.has_untravelled
FROM (
  SELECT DISTINCT ON (k.tenant_id, k.box_id) k.tenant_id, k.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled
  FROM before_lean.card_box_chunks k ORDER BY k.tenant_id, k.box_id, k.n DESC
) c
WHERE b.tenant_id = c.tenant_id AND b.box_id = c.box_id AND c.start + cardinality(c.card_ids) = b.length;
UPDATE card_boxes b SET chunk_count = c.n + 1
FROM (SELECT k.tenant_id, k.box_id, max(k.n) AS n FROM before_lean.card_box_chunks k GROUP BY 1, 2) c
WHERE b.tenant_id = c.tenant_id AND b.box_id = c.box_id AND b.tail IS NULL;
INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
SELECT k.tenant_id, k.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled
FROM before_lean.card_box_chunks k JOIN card_boxes b ON b.tenant_id = k.tenant_id AND b.box_id = k.box_id
WHERE k.n < b.chunk_count;

CREATE INDEX box_chunks_by_card ON box_chunks USING gin (card_ids);
CREATE INDEX card_boxes_by_carried ON card_boxes USING gin (carried) WHERE carried IS NOT NULL;

CREATE VIEW card_box_chunks AS
  SELECT tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled FROM box_chunks
  UNION ALL
  SELECT tenant_id, box_id, chunk_count, length - cardinality(tail), tail, tail_origins, tail_tokens, tail_untravelled
  FROM card_boxes WHERE tail IS NOT NULL;

-- Whoever might read the old table may read what stands for it. Not where policies said who sees which rows.
DO $$
DECLARE
  said record; target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['public.box_chunks', 'public.card_box_chunks'] LOOP
    FOR said IN
      SELECT g.privilege_type AS privilege, CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
      WHERE c.oid = 'before_lean.card_box_chunks'::regclass AND NOT c.relrowsecurity AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT %s ON %s TO %s', said.privilege, target, said.grantee);
    END LOOP;
  END LOOP;
END $$;

-- What is read by the old name is what was there, project by project; else nothing is changed.
DO $$
DECLARE
  bad record;
BEGIN
  SELECT coalesce(o.tenant_id, v.tenant_id) AS project_id, coalesce(o.n, 0) AS was, coalesce(v.n, 0) AS found INTO bad
  FROM (SELECT k.tenant_id, count(*) AS n, sum(hashtextextended(concat_ws(' ', k.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled), 0)) AS digest
      FROM before_lean.card_box_chunks k GROUP BY 1) o
    FULL JOIN (SELECT k.tenant_id, count(*) AS n, sum(hashtextextended(concat_ws(' ', k.box_id, k.n, k.start, k.card_ids, k.origins, k.tokens, k.has_untravelled), 0)) AS digest
      FROM card_box_chunks k GROUP BY 1) v ON v.tenant_id = o.tenant_id
  WHERE (o.n, o.digest) IS DISTINCT FROM (v.n, v.digest) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'project % has % chunks of boxes, and % after they were moved, or other ones; nothing was changed. Restore the project from a backup, or delete it, and start again',
      bad.project_id, bad.was, bad.found;
  END IF;
END $$;

ANALYZE card_boxes, box_chunks;
