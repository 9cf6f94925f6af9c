-- A removed project is hidden at once and deleted after half a minute, so that it can be had back until then.
ALTER TABLE projects ADD COLUMN removed_at timestamptz;
CREATE INDEX projects_removed_idx ON projects (removed_at) WHERE removed_at IS NOT NULL;
