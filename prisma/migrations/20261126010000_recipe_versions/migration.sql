-- A recipe has versions that never change: until now, saving a recipe replaced the one of that name without a trace.
CREATE TABLE resource.recipe_versions (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  name       text NOT NULL,
  version    integer NOT NULL CHECK (version >= 1),
  handover   jsonb NOT NULL,
  -- Null for those that were saved before there were versions.
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, name, version)
);
INSERT INTO resource.recipe_versions (project_id, name, version, handover, created_at)
  SELECT project_id, name, 1, handover, updated_at FROM resource.recipes;

-- A version stays when its recipe is deleted, because receipts name it. It goes with its project, and in no other way.
CREATE FUNCTION resource.recipe_versions_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.project_id = OLD.project_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'versions of recipes never change: save a new version instead of changing version % of %', OLD.version, OLD.name
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'recipe_versions_never_change';
END $$;
CREATE TRIGGER recipe_versions_never_change BEFORE UPDATE OR DELETE ON resource.recipe_versions
  FOR EACH ROW EXECUTE FUNCTION resource.recipe_versions_never_change();

-- The newest version.
ALTER TABLE resource.recipes ADD COLUMN head integer NOT NULL DEFAULT 1 CHECK (head >= 1);
ALTER TABLE resource.recipes ALTER COLUMN head DROP DEFAULT;
ALTER TABLE resource.recipes DROP COLUMN handover;
