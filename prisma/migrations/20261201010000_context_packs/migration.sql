-- Context packs, and the digests that each needs to be read and built again: itself, its sidecar, its input and what it was made of.
-- The bytes are artifacts. `input_key`: the digest of the input without its clock, so that the same input gives one pack.
CREATE TABLE resource.context_packs (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  pack_id text NOT NULL,
  input_key text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('built', 'merged')),
  title text NOT NULL,
  goal text NOT NULL,
  sidecar_sha256 text NOT NULL,
  input_sha256 text NOT NULL,
  estimate int NOT NULL,
  token_limit int NOT NULL,
  found int NOT NULL,
  profile text NOT NULL CHECK (profile IN ('routine', 'expanded')),
  global_mode text NOT NULL CHECK (global_mode IN ('planning', 'implementation')),
  counts jsonb NOT NULL,
  root_turn_id text,
  agent_turn_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (project_id, sha256)
);
CREATE UNIQUE INDEX context_packs_by_input ON resource.context_packs (project_id, input_key);
CREATE INDEX context_packs_by_id ON resource.context_packs (project_id, pack_id, created_at DESC);
CREATE INDEX context_packs_newest ON resource.context_packs (project_id, created_at DESC, sha256 DESC);
CREATE INDEX context_packs_of_root ON resource.context_packs (project_id, root_turn_id, created_at DESC) WHERE root_turn_id IS NOT NULL;

CREATE TABLE resource.context_pack_sources (
  project_id text NOT NULL,
  pack_sha256 text NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (project_id, pack_sha256, sha256),
  FOREIGN KEY (project_id, pack_sha256) REFERENCES resource.context_packs (project_id, sha256) ON DELETE CASCADE,
  -- Checked at the commit: a project that is deleted takes both along, in whatever order.
  FOREIGN KEY (project_id, sha256) REFERENCES resource.artifacts (project_id, sha256) DEFERRABLE INITIALLY DEFERRED
);
-- Whether a pack needs a file, when a card or a name that refers to it is deleted.
CREATE INDEX context_pack_sources_by_digest ON resource.context_pack_sources (project_id, sha256);
