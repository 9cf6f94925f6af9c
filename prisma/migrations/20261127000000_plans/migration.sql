-- Plans: drawings of work, their published versions and drafts, and their runs (docs/plans.md).
CREATE TABLE resource.plans (
  project_id   text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  plan_id      text NOT NULL,
  name         text NOT NULL,
  description  text NOT NULL DEFAULT '',
  head_version integer NOT NULL CHECK (head_version >= 1),
  archived_at  timestamptz,
  created_by   text NOT NULL,
  rev          bigint NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, plan_id)
);
CREATE UNIQUE INDEX plans_one_per_name ON resource.plans (project_id, lower(name));

CREATE TABLE resource.plan_versions (
  project_id text NOT NULL,
  plan_id    text NOT NULL,
  version    integer NOT NULL CHECK (version >= 1),
  body       jsonb NOT NULL,
  layout     jsonb NOT NULL DEFAULT '{}',
  sha256     text NOT NULL,
  message    text NOT NULL DEFAULT '',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, plan_id, version),
  FOREIGN KEY (project_id, plan_id) REFERENCES resource.plans (project_id, plan_id) ON DELETE CASCADE
);

-- A version goes with its plan, and in no other way.
CREATE FUNCTION resource.plan_versions_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM resource.plans p WHERE p.project_id = OLD.project_id AND p.plan_id = OLD.plan_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'versions of plans never change: publish a new version instead of changing version % of %', OLD.version, OLD.plan_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'plan_versions_never_change';
END $$;
CREATE TRIGGER plan_versions_never_change BEFORE UPDATE OR DELETE ON resource.plan_versions
  FOR EACH ROW EXECUTE FUNCTION resource.plan_versions_never_change();

CREATE TABLE resource.plan_drafts (
  project_id   text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  draft_id     text NOT NULL,
  plan_id      text,
  user_id      text NOT NULL,
  base_version integer,
  body         jsonb NOT NULL,
  layout       jsonb NOT NULL DEFAULT '{}',
  rev          bigint NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, draft_id),
  FOREIGN KEY (project_id, plan_id) REFERENCES resource.plans (project_id, plan_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX plan_drafts_one_per_user ON resource.plan_drafts (project_id, plan_id, user_id) WHERE plan_id IS NOT NULL;

CREATE TABLE state.plan_runs (
  project_id          text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  plan_run_id         text NOT NULL,
  parent_turn_id      text NOT NULL,
  -- Null for a person, whose turn it is.
  parent_tool_call_id text,
  root_turn_id        text NOT NULL,
  -- Null where a draft was launched.
  plan_id             text,
  version             integer,
  body                jsonb NOT NULL,
  body_rev            bigint NOT NULL DEFAULT 1,
  sha256              text NOT NULL,
  layout              jsonb NOT NULL DEFAULT '{}',
  -- Text of text inputs, ids of boxes and cards, and the cards that were made of texts.
  inputs              jsonb NOT NULL DEFAULT '{}',
  is_stepped          boolean NOT NULL DEFAULT false,
  forked_from         text,
  status              text NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'success', 'partial', 'failed', 'timeout', 'canceled')),
  deadline_at         timestamptz,
  -- False while acts may be left to do: whoever dies between two of them leaves it so, and the sweep goes on.
  is_at_rest          boolean NOT NULL DEFAULT false,
  rev                 bigint NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL DEFAULT now(),
  ended_at            timestamptz,
  PRIMARY KEY (project_id, plan_run_id),
  FOREIGN KEY (project_id, parent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE,
  CHECK ((status = 'running') = (ended_at IS NULL))
) WITH (fillfactor = 80);
-- A person's turn launches one plan; an agent's call launches one.
CREATE UNIQUE INDEX plan_runs_one_per_call ON state.plan_runs (project_id, parent_turn_id, coalesce(parent_tool_call_id, ''));
CREATE INDEX plan_runs_by_run ON state.plan_runs (project_id, root_turn_id, created_at);
CREATE INDEX plan_runs_by_plan ON state.plan_runs (project_id, plan_id, created_at DESC) WHERE plan_id IS NOT NULL;
CREATE INDEX plan_runs_by_age ON state.plan_runs (project_id, created_at DESC, plan_run_id DESC);
CREATE INDEX plan_runs_running ON state.plan_runs (is_at_rest, deadline_at) WHERE status = 'running';

CREATE TABLE state.plan_run_nodes (
  project_id    text NOT NULL,
  plan_run_id   text NOT NULL,
  node_id       text NOT NULL,
  status        text NOT NULL DEFAULT 'waiting' CHECK (status IN
    ('waiting', 'held', 'running', 'skipped', 'replayed', 'success', 'partial', 'failed', 'timeout', 'canceled')),
  try           integer NOT NULL DEFAULT 1 CHECK (try >= 1),
  -- Failed starts of this try: a passing fault is tried again five times.
  starts        integer NOT NULL DEFAULT 0,
  headcodes     text[] NOT NULL DEFAULT '{}',
  batch_id      text,
  -- The person who must let it start, while it is held.
  request_id    text,
  is_released   boolean NOT NULL DEFAULT false,
  replays       jsonb,
  reason        text,
  error_code    text,
  next_retry_at timestamptz,
  rev           bigint NOT NULL DEFAULT 1,
  started_at    timestamptz,
  ended_at      timestamptz,
  PRIMARY KEY (project_id, plan_run_id, node_id),
  FOREIGN KEY (project_id, plan_run_id) REFERENCES state.plan_runs (project_id, plan_run_id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX plan_run_nodes_due ON state.plan_run_nodes (next_retry_at) WHERE next_retry_at IS NOT NULL;

CREATE TABLE state.plan_run_edits (
  project_id  text NOT NULL,
  plan_run_id text NOT NULL,
  n           integer NOT NULL,
  by          text NOT NULL,
  ops         jsonb NOT NULL,
  reason      text NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, plan_run_id, n),
  FOREIGN KEY (project_id, plan_run_id) REFERENCES state.plan_runs (project_id, plan_run_id) ON DELETE CASCADE
);

-- A node of a plan starts one batch a try (K18).
ALTER TABLE state.pmo_batches ADD COLUMN plan_run_id text, ADD COLUMN plan_node_id text, ADD COLUMN plan_try integer,
  ADD CHECK ((plan_run_id IS NULL) = (plan_node_id IS NULL) AND (plan_run_id IS NULL) = (plan_try IS NULL));
CREATE UNIQUE INDEX pmo_batches_one_per_try ON state.pmo_batches (project_id, plan_run_id, plan_node_id, plan_try) WHERE plan_run_id IS NOT NULL;
ALTER TABLE state.pmo_batches DROP CONSTRAINT pmo_batches_tool_name_check,
  ADD CONSTRAINT pmo_batches_tool_name_check CHECK (tool_name IN ('fork_join', 'ask_expert', 'plan_wagon'));

-- A node that is held asks a person to let it start.
ALTER TABLE state.human_requests DROP CONSTRAINT human_requests_kind_check, DROP CONSTRAINT human_requests_check2,
  ADD CONSTRAINT human_requests_kind_check CHECK (kind IN ('question', 'approval', 'plan_hold')),
  ADD CONSTRAINT human_requests_check2 CHECK (kind IN ('approval', 'plan_hold') OR status NOT IN ('approved', 'denied'));
