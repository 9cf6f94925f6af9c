-- The frames of one unit are nearly the same text, but a row of 900 bytes is never compressed: the journal was a quarter of
-- all that a fork wrote. A row now holds (nearly) all frames that a unit wrote into a project, and state.journal is a view of
-- them with the columns it always had. Frames that are looked for by themselves later (`kind`, `entity_id`) have a pack of
-- their own. Nothing can say here any more that a turn ends only once: the compare-and-set of its end does (kernel/SPEC.md, K6).

-- Units write here last of all: who holds this waits for nobody.
LOCK TABLE state.journal IN ACCESS EXCLUSIVE MODE;
ALTER TABLE state.journal RENAME TO journal_rows;
ALTER INDEX state.journal_by_age RENAME TO journal_rows_by_age;

CREATE TABLE state.journal_packs (
  project_id text NOT NULL,
  xid        xid8 NOT NULL DEFAULT pg_current_xact_id(),
  pack_id    bigint GENERATED ALWAYS AS IDENTITY,
  kind       text,
  entity_id  text,
  frames     jsonb COMPRESSION pglz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, xid, pack_id),
  CHECK ((kind IS NULL) = (entity_id IS NULL)),
  -- The number of an event is pack_id * 1000 and the place of its frame, from 1; 999 stands behind the last one.
  CONSTRAINT journal_packs_frames CHECK (jsonb_typeof(frames) = 'array' AND frames <> '[]'::jsonb AND frames -> 998 IS NULL)
);
-- Compressed in the row: moved out of it as well, a pack of some kilobytes costs rows and index entries of a second table.
ALTER TABLE state.journal_packs ALTER frames SET STORAGE MAIN;

-- Higher numbers than any that a cursor may hold: who was in the middle of a transaction reads it again, and skips nothing.
SELECT setval(pg_get_serial_sequence('state.journal_packs', 'pack_id'), coalesce(max(event_id), 0) / 1000 + 1) FROM state.journal_rows;

INSERT INTO state.journal_packs (project_id, xid, kind, entity_id, frames, created_at)
SELECT project_id, xid, CASE WHEN is_sought THEN min(kind) END,
  CASE WHEN is_sought THEN min(CASE kind WHEN 'project' THEN entity_id ELSE frame ->> 'agent_turn_id' END) END,
  jsonb_agg(frame ORDER BY event_id), min(created_at)
FROM (
  SELECT *, (row_number() OVER (PARTITION BY project_id, xid, run, is_sought ORDER BY event_id) - 1) / 200 AS part
  FROM (
    SELECT *, count(*) FILTER (WHERE is_sought) OVER (PARTITION BY project_id, xid ORDER BY event_id) AS run
    FROM (SELECT *, kind IN ('rejected_late', 'project') AS is_sought FROM state.journal_rows) marked
  ) runs
) parts
GROUP BY project_id, xid, run, is_sought, part
ORDER BY min(event_id);

CREATE INDEX journal_packs_by_age ON state.journal_packs USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX journal_packs_sought ON state.journal_packs (project_id, kind, entity_id) WHERE kind IS NOT NULL;

CREATE VIEW state.journal AS
SELECT p.project_id, p.pack_id * 1000 + f.n AS event_id, p.xid, 'evt.' || (f.frame ->> 'kind') || '.' || (f.frame ->> 'id') AS subject,
  f.frame ->> 'kind' AS kind, f.frame ->> 'id' AS entity_id, (f.frame ->> 'rev')::bigint AS rev, f.frame, p.created_at
FROM state.journal_packs p CROSS JOIN LATERAL jsonb_array_elements(p.frames) WITH ORDINALITY AS f(frame, n);

-- Whoever might read or write the journal may still, by its old name and by its new one.
DO $$
DECLARE
  old_table regclass; new_table regclass; said record;
BEGIN
  FOR old_table, new_table IN VALUES
    ('state.journal_rows'::regclass, 'state.journal_packs'::regclass), ('state.journal_rows', 'state.journal')
  LOOP
    -- What ALTER DEFAULT PRIVILEGES gave the new one may have been taken from the old one.
    FOR said IN
      SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g WHERE c.oid = new_table AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %s', new_table, said.grantee);
    END LOOP;
    -- Not where policies said who sees which rows: without them, everybody who may read would read all.
    FOR said IN
      SELECT g.privilege_type AS privilege, CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee,
        CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END AS more, coalesce('(' || quote_ident(acl.of_column) || ')', '') AS part
      FROM pg_class c CROSS JOIN LATERAL (
        SELECT c.relacl AS acl, NULL::name AS of_column
        UNION ALL
        SELECT a.attacl, a.attname FROM pg_attribute a
        JOIN pg_attribute n ON n.attrelid = new_table AND n.attname = a.attname AND n.attnum > 0 AND NOT n.attisdropped
        WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
      ) acl CROSS JOIN LATERAL aclexplode(acl.acl) g
      WHERE c.oid = old_table AND NOT c.relrowsecurity AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT %s %s ON %s TO %s%s', said.privilege, said.part, new_table, said.grantee, said.more);
    END LOOP;
  END LOOP;
END $$;

-- Without CASCADE: a view of somebody else's stops it by its name, and is not dropped unsaid.
DROP TABLE state.journal_rows;
-- What docs/journal-partitions.sql had made of the table. It can be run again, for the new one.
DROP TABLE IF EXISTS state.journal_parts, state.journal_ends;
DROP FUNCTION IF EXISTS state.journal_cut(), state.journal_drop(interval), state.journal_end_once();
DROP SEQUENCE IF EXISTS state.journal_event_id;

-- Processes of the version before write rows and delete them, until they are replaced.
CREATE FUNCTION state.journal_take_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_sought boolean := NEW.kind IN ('rejected_late', 'project');
BEGIN
  INSERT INTO state.journal_packs (project_id, kind, entity_id, frames) VALUES (
    NEW.project_id, CASE WHEN is_sought THEN NEW.kind END,
    CASE WHEN is_sought THEN CASE NEW.kind WHEN 'project' THEN NEW.entity_id ELSE NEW.frame ->> 'agent_turn_id' END END,
    jsonb_build_array(NEW.frame));
  RETURN NEW;
END $$;
CREATE TRIGGER journal_take_row INSTEAD OF INSERT ON state.journal FOR EACH ROW EXECUTE FUNCTION state.journal_take_row();

CREATE FUNCTION state.journal_drop_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM state.journal_packs WHERE project_id = OLD.project_id AND xid = OLD.xid AND pack_id = OLD.event_id / 1000;
  RETURN OLD;
END $$;
CREATE TRIGGER journal_drop_row INSTEAD OF DELETE ON state.journal FOR EACH ROW EXECUTE FUNCTION state.journal_drop_row();
