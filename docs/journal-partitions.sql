-- Puts state.journal into partitions, so that old frames go by dropping a table and not row by row. docs/deploy.md says
-- when that is worth it. Run once, by the tables' owner, with psql -1 -v ON_ERROR_STOP=1 -f; writers wait meanwhile. Postgres 15+.
-- Then, once a day:  SELECT state.journal_cut(); SELECT state.journal_drop('30 days');

LOCK TABLE state.journal IN ACCESS EXCLUSIVE MODE;
ALTER TABLE state.journal RENAME TO journal_0;
ALTER TABLE state.journal_0 ALTER event_id DROP IDENTITY;
CREATE SEQUENCE state.journal_event_id;
SELECT setval('state.journal_event_id', coalesce(max(event_id), 0) + 1) FROM state.journal_0;
ALTER INDEX state.journal_pkey RENAME TO journal_0_pkey;
ALTER INDEX state.journal_by_age RENAME TO journal_0_by_age;

-- By transaction id: readers go on from one, and the primary key holds it.
CREATE TABLE state.journal (LIKE state.journal_0 INCLUDING DEFAULTS) PARTITION BY RANGE (xid);
ALTER TABLE state.journal ALTER event_id SET DEFAULT nextval('state.journal_event_id');
ALTER TABLE state.journal ADD PRIMARY KEY (project_id, xid, event_id);
CREATE INDEX journal_by_age ON state.journal (created_at);

-- A turn ends exactly once: a unique index would hold within one partition only.
DROP INDEX state.journal_one_task;
CREATE TABLE state.journal_ends (project_id text, entity_id text, PRIMARY KEY (project_id, entity_id));
INSERT INTO state.journal_ends SELECT project_id, entity_id FROM state.journal_0 WHERE kind = 'task';
CREATE FUNCTION state.journal_end_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO state.journal_ends VALUES (NEW.project_id, NEW.entity_id);
  RETURN NEW;
END $$;
CREATE TRIGGER journal_end_once BEFORE INSERT ON state.journal
  FOR EACH ROW WHEN (NEW.kind = 'task') EXECUTE FUNCTION state.journal_end_once();

-- Which partition begins where, and when it was closed; the one that is not closed takes what comes.
CREATE TABLE state.journal_parts (part int PRIMARY KEY, from_xid xid8, to_xid xid8, closed_at timestamptz);
INSERT INTO state.journal_parts (part) VALUES (0);
ALTER TABLE state.journal ATTACH PARTITION state.journal_0 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

-- Closes the open partition and begins the next one. Reads the open one once.
CREATE FUNCTION state.journal_cut() RETURNS int LANGUAGE plpgsql AS $$
DECLARE open_part state.journal_parts; next_xid xid8;
BEGIN
  LOCK TABLE state.journal IN ACCESS EXCLUSIVE MODE;
  -- After the lock: whatever has been written is older than this.
  next_xid := pg_snapshot_xmax(pg_current_snapshot());
  SELECT * INTO open_part FROM state.journal_parts WHERE closed_at IS NULL;
  EXECUTE format('ALTER TABLE state.journal DETACH PARTITION state.journal_%s', open_part.part);
  EXECUTE format('ALTER TABLE state.journal ATTACH PARTITION state.journal_%s FOR VALUES FROM (%s) TO (%L)', open_part.part,
    coalesce(quote_literal(open_part.from_xid), 'MINVALUE'), next_xid);
  EXECUTE format('CREATE TABLE state.journal_%s PARTITION OF state.journal FOR VALUES FROM (%L) TO (MAXVALUE)',
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
    EXECUTE format('DROP TABLE state.journal_%s', old.part);
    DELETE FROM state.journal_parts WHERE part = old.part;
    INSERT INTO state.journal_floor (dropped_xid) VALUES (old.to_xid)
      ON CONFLICT (is_one) DO UPDATE SET dropped_xid = greatest(journal_floor.dropped_xid, excluded.dropped_xid);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
