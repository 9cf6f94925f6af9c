-- Bytes that cards refer to, such as a picture that a tool answered with: kept once in a project, under their digest.
CREATE TABLE resource.artifacts (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  mime text NOT NULL,
  bytes bytea NOT NULL,
  size int NOT NULL CHECK (size = octet_length(bytes)),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, sha256)
);
-- Pictures are compressed already.
ALTER TABLE resource.artifacts ALTER COLUMN bytes SET STORAGE EXTERNAL;
