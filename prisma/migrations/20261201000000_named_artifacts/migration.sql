-- Names of artifacts, artifact://area/name, and values too large for one row. A large value is written in pieces while it
-- arrives; until a row of resource.artifacts refers to its blob, nobody can read it, and the watchdog deletes what was left.
CREATE TABLE resource.artifact_blobs (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  blob_id text NOT NULL,
  touched_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, blob_id)
);
-- Looked through by the watchdog for uploads that stopped.
CREATE INDEX artifact_blobs_by_time ON resource.artifact_blobs (touched_at);
CREATE TABLE resource.artifact_chunks (
  project_id text NOT NULL,
  blob_id text NOT NULL,
  n int NOT NULL CHECK (n >= 0),
  bytes bytea NOT NULL,
  PRIMARY KEY (project_id, blob_id, n),
  FOREIGN KEY (project_id, blob_id) REFERENCES resource.artifact_blobs (project_id, blob_id) ON DELETE CASCADE
);
ALTER TABLE resource.artifact_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Checked at the commit: a project that is deleted takes both along, in whatever order.
ALTER TABLE resource.artifacts
  ADD COLUMN blob_id text,
  ALTER COLUMN bytes DROP NOT NULL,
  ADD CONSTRAINT artifacts_blob FOREIGN KEY (project_id, blob_id) REFERENCES resource.artifact_blobs (project_id, blob_id)
    DEFERRABLE INITIALLY DEFERRED NOT VALID,
  ADD CONSTRAINT artifacts_one_place CHECK ((bytes IS NULL) <> (blob_id IS NULL)) NOT VALID;
ALTER TABLE resource.artifacts VALIDATE CONSTRAINT artifacts_blob;
ALTER TABLE resource.artifacts VALIDATE CONSTRAINT artifacts_one_place;
CREATE UNIQUE INDEX artifacts_by_blob ON resource.artifacts (project_id, blob_id) WHERE blob_id IS NOT NULL;

CREATE TABLE resource.artifact_names (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  area text NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL,
  mime text NOT NULL,
  size int NOT NULL CHECK (size >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (project_id, area, name),
  FOREIGN KEY (project_id, sha256) REFERENCES resource.artifacts (project_id, sha256) DEFERRABLE INITIALLY DEFERRED
);
-- Whether a file still has a name, when a card that referred to it is deleted.
CREATE INDEX artifact_names_by_digest ON resource.artifact_names (project_id, sha256);
-- Lists, newest first.
CREATE INDEX artifact_names_newest ON resource.artifact_names (project_id, created_at DESC, area DESC, name DESC);
