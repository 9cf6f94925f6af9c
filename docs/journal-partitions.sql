-- Puts state.journal_packs into partitions, so that old frames go by dropping a table and not row by row. docs/deploy.md says
-- when that is worth it. Run once, by the tables' owner, with psql -1 -v ON_ERROR_STOP=1 -f; all others wait meanwhile. Postgres 15+.
-- Then, once a day:  SELECT state.journal_cut(); SELECT state.journal_drop('28 days');
-- Before the 30 days of the watchdog: of a part dropped after them, it had deleted every row one by one already.

LOCK TABLE state.journal_packs IN ACCESS EXCLUSIVE MODE;
-- The view holds on to the table it was made of, whatever that is called then.
SELECT set_config('journal.frames', pg_get_viewdef('state.journal'), true);
ALTER TABLE state.journal_packs RENAME TO journal_packs_0;
ALTER TABLE state.journal_packs_0 ALTER pack_id DROP IDENTITY;
CREATE SEQUENCE state.journal_pack_id;
SELECT setval('state.journal_pack_id', coalesce(max(pack_id), 0) + 1) FROM state.journal_packs_0;
ALTER INDEX state.journal_packs_pkey RENAME TO journal_packs_0_pkey;
ALTER INDEX state.journal_packs_by_age RENAME TO journal_packs_0_by_age;
ALTER INDEX state.journal_packs_sought RENAME TO journal_packs_0_sought;

-- By transaction id: readers go on from one, and the primary key holds it.
CREATE TABLE state.journal_packs (
  LIKE state.journal_packs_0 INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION
) PARTITION BY RANGE (xid);
ALTER TABLE state.journal_packs ALTER pack_id SET DEFAULT nextval('state.journal_pack_id');
ALTER TABLE state.journal_packs ADD PRIMARY KEY (project_id, xid, pack_id);
CREATE INDEX journal_packs_by_age ON state.journal_packs USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX journal_packs_sought ON state.journal_packs (project_id, kind, entity_id) WHERE kind IS NOT NULL;

-- Which partition begins where, and when it was closed; the one that is not closed takes what comes.
CREATE TABLE state.journal_parts (part int PRIMARY KEY, from_xid xid8, to_xid xid8, closed_at timestamptz);
INSERT INTO state.journal_parts (part) VALUES (0);
ALTER TABLE state.journal_packs ATTACH PARTITION state.journal_packs_0 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW state.journal AS ' || current_setting('journal.frames'); END $$;

-- Closes the open partition and begins the next one. Reads the open one once.
CREATE FUNCTION state.journal_cut() RETURNS int LANGUAGE plpgsql AS $$
DECLARE open_part state.journal_parts; next_xid xid8;
BEGIN
  LOCK TABLE state.journal_packs IN ACCESS EXCLUSIVE MODE;
  -- After the lock: whatever has been written is older than this.
  next_xid := pg_snapshot_xmax(pg_current_snapshot());
  SELECT * INTO open_part FROM state.journal_parts WHERE closed_at IS NULL;
  EXECUTE format('ALTER TABLE state.journal_packs DETACH PARTITION state.journal_packs_%s', open_part.part);
  EXECUTE format('ALTER TABLE state.journal_packs ATTACH PARTITION state.journal_packs_%s FOR VALUES FROM (%s) TO (%L)',
    open_part.part, coalesce(quote_literal(open_part.from_xid), 'MINVALUE'), next_xid);
  EXECUTE format('CREATE TABLE state.journal_packs_%s PARTITION OF state.journal_packs FOR VALUES FROM (%L) TO (MAXVALUE)',
    open_part.part + 1, next_xid);
  UPDATE state.journal_parts SET to_xid = next_xid, closed_at = now() WHERE part = open_part.part;
  INSERT INTO state.journal_parts (part, from_xid) VALUES (open_part.part + 1, next_xid);
  RETURN open_part.part + 1;
END $$;

-- Drops what was closed longer ago than that, and remembers it, so that older cursors are told to start from a snapshot.
CREATE FUNCTION state.journal_drop(keep interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE old state.journal_parts; dropped int := 0;
BEGIN
  FOR old IN SELECT * FROM state.journal_parts WHERE closed_at < now() - keep ORDER BY part LOOP
    EXECUTE format('DROP TABLE state.journal_packs_%s', old.part);
    DELETE FROM state.journal_parts WHERE part = old.part;
    INSERT INTO state.journal_floor (dropped_xid) VALUES (old.to_xid)
      ON CONFLICT (is_one) DO UPDATE SET dropped_xid = greatest(journal_floor.dropped_xid, excluded.dropped_xid);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
