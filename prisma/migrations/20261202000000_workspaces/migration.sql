-- Workspaces: the files that a context pack is built from. An index is written as a new generation and becomes visible at once when
-- it is complete; until then, and when it fails, the former one is read.
CREATE TABLE resource.workspaces (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('folder', 'bundle', 'tar')),
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'indexing', 'ready', 'failed')),
  generation int NOT NULL DEFAULT 0,
  snapshot_sha256 text,
  files int NOT NULL DEFAULT 0,
  seen int NOT NULL DEFAULT 0,
  done int NOT NULL DEFAULT 0,
  skipped jsonb NOT NULL DEFAULT '{}',
  error jsonb,
  lease_id text,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  indexed_at timestamptz,
  PRIMARY KEY (project_id, name)
);
CREATE TABLE resource.workspace_files (
  project_id text NOT NULL,
  workspace text NOT NULL,
  generation int NOT NULL,
  path text COLLATE "C" NOT NULL,
  sha256 text NOT NULL,
  size int NOT NULL,
  stamp text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'binary')),
  specifiers text[] NOT NULL DEFAULT '{}',
  imports text[] NOT NULL DEFAULT '{}',
  terms text[] NOT NULL DEFAULT '{}',
  counts int[] NOT NULL DEFAULT '{}',
  length int NOT NULL DEFAULT 0,
  is_stored boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, workspace, generation, path),
  FOREIGN KEY (project_id, workspace) REFERENCES resource.workspaces (project_id, name) ON DELETE CASCADE
);
-- Search: the files that have one of the words.
CREATE INDEX workspace_files_by_term ON resource.workspace_files USING gin (terms);
-- Bytes by digest, and whether an artifact is still referred to.
CREATE INDEX workspace_files_by_digest ON resource.workspace_files (project_id, sha256);
