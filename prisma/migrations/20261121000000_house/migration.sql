-- All tables of the kernel (server/kernel/SPEC.md). Every key begins with the project; every status has a CHECK.
CREATE SCHEMA IF NOT EXISTS resource;
CREATE SCHEMA IF NOT EXISTS state;

CREATE TABLE projects (
  project_id text PRIMARY KEY CHECK (project_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  title      text NOT NULL,
  status     text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'archived')),
  owner_id   text,
  is_demo    boolean NOT NULL DEFAULT false,
  run_count  integer NOT NULL DEFAULT 0,
  rev        bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE cards (
  tenant_id    text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  card_id      text NOT NULL CHECK (card_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  content      jsonb NOT NULL,
  tool_calls   jsonb,
  tool_call_id text,
  ttl_seconds  integer CHECK (ttl_seconds > 0),
  expires_at   timestamptz,
  deleted_at   timestamptz,
  metadata     jsonb NOT NULL CHECK (metadata ? 'type' AND metadata ? 'role'),
  content_hash text NOT NULL,
  token_count  integer NOT NULL CHECK (token_count >= 0),
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, card_id)
);
CREATE UNIQUE INDEX cards_one_result_per_call ON cards (tenant_id, tool_call_id) WHERE (metadata ->> 'type') = 'tool.result';
CREATE INDEX cards_by_age ON cards (tenant_id, created_at DESC, card_id DESC);
CREATE INDEX cards_by_turn ON cards (tenant_id, (metadata ->> 'agent_turn_id')) WHERE (metadata ->> 'agent_turn_id') IS NOT NULL;

CREATE FUNCTION cards_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'deleted_at' - 'expires_at') IS DISTINCT FROM (to_jsonb(OLD) - 'deleted_at' - 'expires_at') THEN
    RAISE EXCEPTION 'cards never change: only deleted_at and expires_at of card % may be set; write a new card instead', OLD.card_id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'cards_never_change';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER cards_never_change BEFORE UPDATE ON cards FOR EACH ROW EXECUTE FUNCTION cards_never_change();

-- Filled after the fact: a text index on cards itself makes every insert many times the WAL.
CREATE TABLE card_search (
  tenant_id  text NOT NULL,
  card_id    text NOT NULL,
  body       tsvector NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, card_id),
  FOREIGN KEY (tenant_id, card_id) REFERENCES cards (tenant_id, card_id) ON DELETE CASCADE
);
CREATE INDEX card_search_body ON card_search USING gin (body);

CREATE TABLE card_boxes (
  tenant_id      text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  box_id         text NOT NULL CHECK (box_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  kind           text NOT NULL CHECK (kind IN ('context', 'output', 'profile', 'request', 'pack', 'import', 'plain')),
  owner_agent_id text,
  owner_turn_id  text,
  length         integer NOT NULL DEFAULT 0 CHECK (length >= 0),
  token_sum      bigint NOT NULL DEFAULT 0,
  -- Roles and tokens in order, for drawing: 'S120 U400 A30', at most 48 runs.
  consist        text NOT NULL DEFAULT '',
  has_repeats    boolean NOT NULL DEFAULT false,
  receipt        jsonb,
  rev            bigint NOT NULL DEFAULT 1,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, box_id)
);
CREATE INDEX card_boxes_by_age ON card_boxes (tenant_id, created_at DESC, box_id DESC);
CREATE INDEX card_boxes_by_turn ON card_boxes (tenant_id, owner_turn_id) WHERE owner_turn_id IS NOT NULL;

CREATE TABLE card_box_chunks (
  tenant_id text NOT NULL,
  box_id    text NOT NULL,
  n         integer NOT NULL CHECK (n >= 0),
  -- Position of the chunk's first card in the box, from 0.
  start     integer NOT NULL CHECK (start >= 0),
  card_ids  text[] NOT NULL CHECK (cardinality(card_ids) BETWEEN 1 AND 64),
  -- Runs of equal origin: [[count, origin], ...]; counts sum to cardinality(card_ids).
  origins   jsonb NOT NULL,
  tokens    integer NOT NULL,
  -- True when the chunk holds a card of a type that is never inherited: such a chunk is not copied whole.
  has_untravelled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, box_id, n),
  FOREIGN KEY (tenant_id, box_id) REFERENCES card_boxes (tenant_id, box_id) ON DELETE CASCADE
);
CREATE INDEX card_box_chunks_by_card ON card_box_chunks USING gin (card_ids);

CREATE TABLE resource.profiles (
  project_id         text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  profile_box_id     text NOT NULL,
  name               text NOT NULL,
  worker_target      text NOT NULL,
  tags               text[] NOT NULL DEFAULT '{}',
  description        text,
  delegation_context text NOT NULL DEFAULT 'standard' CHECK (delegation_context IN ('off', 'minimal', 'standard', 'verbose')),
  rev                bigint NOT NULL DEFAULT 1,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, profile_box_id),
  FOREIGN KEY (project_id, profile_box_id) REFERENCES card_boxes (tenant_id, box_id)
);
CREATE UNIQUE INDEX profiles_one_name ON resource.profiles (project_id, lower(name));

CREATE TABLE resource.project_agents (
  project_id     text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  agent_id       text NOT NULL CHECK (agent_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  profile_box_id text NOT NULL,
  profile_name   text NOT NULL,
  worker_target  text NOT NULL,
  tags           text[] NOT NULL DEFAULT '{}',
  display_name   text,
  owner_agent_id text,
  derived_from   text,
  status         text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  metadata       jsonb NOT NULL DEFAULT '{}',
  rev            bigint NOT NULL DEFAULT 1,
  created_at     timestamptz NOT NULL DEFAULT now(),
  last_seen_at   timestamptz,
  PRIMARY KEY (project_id, agent_id),
  FOREIGN KEY (project_id, profile_box_id) REFERENCES card_boxes (tenant_id, box_id)
);

CREATE TABLE resource.tools (
  project_id      text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  tool_name       text NOT NULL,
  description     text NOT NULL DEFAULT '',
  parameters      jsonb NOT NULL,
  target_subject  text,
  after_execution text NOT NULL DEFAULT 'suspend' CHECK (after_execution IN ('suspend', 'terminate')),
  options         jsonb NOT NULL DEFAULT '{}',
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, tool_name)
);

CREATE TABLE resource.recipes (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  name       text NOT NULL,
  handover   jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, name)
);

-- A run is the tree under one root turn. Letters of its headcodes are handed out here, so that a code never changes.
CREATE TABLE state.runs (
  project_id   text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  root_turn_id text NOT NULL,
  number       integer NOT NULL,
  title        text NOT NULL,
  source       text NOT NULL CHECK (source IN ('launch', 'import', 'demo')),
  letters      jsonb NOT NULL DEFAULT '{}',
  metadata     jsonb NOT NULL DEFAULT '{}',
  rev          bigint NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, root_turn_id),
  UNIQUE (project_id, number)
);

CREATE TABLE state.agent_turns (
  project_id          text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  agent_turn_id       text NOT NULL CHECK (agent_turn_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  agent_id            text NOT NULL,
  turn_epoch          bigint NOT NULL DEFAULT 0,
  status              text NOT NULL CHECK (status IN ('queued', 'dispatched', 'running', 'suspended', 'success', 'partial', 'failed', 'timeout', 'canceled')),
  parent_turn_id      text,
  root_turn_id        text NOT NULL,
  parent_step_id      text,
  parent_tool_call_id text,
  primitive           text NOT NULL CHECK (primitive IN ('delegate_async', 'fork_join', 'ask_expert', 'launch_principal', 'ui_action', 'import')),
  target_strategy     text CHECK (target_strategy IN ('new', 'reuse', 'clone')),
  depth               integer NOT NULL CHECK (depth >= 0),
  channel             text NOT NULL DEFAULT 'public',
  trace_id            text NOT NULL,
  profile_box_id      text NOT NULL,
  profile_name        text NOT NULL,
  worker_target       text NOT NULL,
  context_box_id      text NOT NULL,
  output_box_id       text,
  output_start        integer,
  instruction_card_id text,
  deliverable_card_id text,
  batch_task_id       text,
  attempt             integer NOT NULL DEFAULT 1,
  step_count          integer NOT NULL DEFAULT 0,
  tokens_in           bigint NOT NULL DEFAULT 0,
  tokens_out          bigint NOT NULL DEFAULT 0,
  cost                numeric(14, 6),
  error_code          text,
  error               text,
  headcode            text NOT NULL,
  title               text NOT NULL,
  note                text,
  context_cards       integer NOT NULL DEFAULT 0,
  context_tokens      bigint NOT NULL DEFAULT 0,
  context_consist     text NOT NULL DEFAULT '',
  output_cards        integer NOT NULL DEFAULT 0,
  output_tokens       bigint NOT NULL DEFAULT 0,
  output_consist      text NOT NULL DEFAULT '',
  window_tokens       integer NOT NULL,
  mark                jsonb,
  action_id           text,
  lease_holder        text,
  heartbeat_at        timestamptz,
  rev                 bigint NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL DEFAULT now(),
  leased_at           timestamptz,
  started_at          timestamptz,
  ended_at            timestamptz,
  PRIMARY KEY (project_id, agent_turn_id),
  FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE,
  FOREIGN KEY (project_id, context_box_id) REFERENCES card_boxes (tenant_id, box_id),
  CHECK ((ended_at IS NULL) = (status IN ('queued', 'dispatched', 'running', 'suspended'))),
  CHECK (status NOT IN ('success', 'partial', 'failed', 'timeout', 'canceled') OR deliverable_card_id IS NOT NULL),
  CHECK (status = 'queued' OR output_box_id IS NOT NULL)
);
CREATE INDEX agent_turns_by_run ON state.agent_turns (project_id, root_turn_id, created_at, agent_turn_id);
CREATE INDEX agent_turns_by_age ON state.agent_turns (project_id, created_at DESC, agent_turn_id DESC);
CREATE INDEX agent_turns_by_agent ON state.agent_turns (project_id, agent_id, created_at DESC);
CREATE INDEX agent_turns_by_parent ON state.agent_turns (project_id, parent_turn_id) WHERE parent_turn_id IS NOT NULL;
CREATE UNIQUE INDEX agent_turns_one_action ON state.agent_turns (project_id, action_id) WHERE action_id IS NOT NULL;
-- K5: two live turns never share an output box.
CREATE UNIQUE INDEX agent_turns_one_live_per_output ON state.agent_turns (project_id, output_box_id)
  WHERE status IN ('dispatched', 'running', 'suspended');
-- K1: one active turn an agent; a person's launches are exempt.
CREATE UNIQUE INDEX agent_turns_one_live_per_agent ON state.agent_turns (project_id, agent_id)
  WHERE status IN ('dispatched', 'running', 'suspended') AND primitive <> 'ui_action';

CREATE TABLE state.agent_state_head (
  project_id           text NOT NULL,
  agent_id             text NOT NULL,
  status               text NOT NULL DEFAULT 'idle' CHECK (status IN ('idle', 'dispatched', 'running', 'suspended')),
  active_agent_turn_id text,
  turn_epoch           bigint NOT NULL DEFAULT 0,
  profile_box_id       text,
  context_box_id       text,
  output_box_id        text,
  parent_step_id       text,
  trace_id             text,
  waiting_tool_count   integer NOT NULL DEFAULT 0,
  resume_deadline      timestamptz,
  lease_holder         text,
  leased_at            timestamptz,
  heartbeat_at         timestamptz,
  rung_at              timestamptz,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, agent_id),
  FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE,
  CHECK ((status = 'idle') = (active_agent_turn_id IS NULL))
);
CREATE INDEX agent_state_head_active ON state.agent_state_head (status, heartbeat_at) WHERE status <> 'idle';

CREATE TABLE state.agent_state_pointers (
  project_id            text NOT NULL,
  agent_id              text NOT NULL,
  memory_context_box_id text,
  last_output_box_id    text,
  updated_at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, agent_id),
  FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE
);

CREATE TABLE state.agent_steps (
  project_id     text NOT NULL,
  step_id        text NOT NULL,
  agent_turn_id  text NOT NULL,
  agent_id       text NOT NULL,
  turn_epoch     bigint NOT NULL,
  ordinal        integer NOT NULL,
  status         text NOT NULL CHECK (status IN ('started', 'completed', 'failed')),
  parent_step_id text,
  trace_id       text,
  request_box_id text,
  -- The serialised request as sent, and its digest: jsonb would reorder keys.
  request_bytes  bytea,
  request_sha256 text,
  request_tokens integer,
  tool_call_ids  text[] NOT NULL DEFAULT '{}',
  usage          jsonb,
  cost           numeric(14, 6),
  note           text,
  error          text,
  rev            bigint NOT NULL DEFAULT 1,
  started_at     timestamptz NOT NULL DEFAULT now(),
  ended_at       timestamptz,
  PRIMARY KEY (project_id, step_id),
  FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE
);
CREATE INDEX agent_steps_by_turn ON state.agent_steps (project_id, agent_turn_id, ordinal);

CREATE TABLE state.agent_inbox (
  project_id      text NOT NULL,
  inbox_id        text NOT NULL,
  agent_id        text NOT NULL,
  message_type    text NOT NULL CHECK (message_type IN ('turn', 'tool_result', 'timeout', 'stop', 'ui_action')),
  correlation_id  text NOT NULL,
  agent_turn_id   text,
  turn_epoch      bigint NOT NULL DEFAULT 0,
  worker_target   text NOT NULL,
  context_headers jsonb NOT NULL DEFAULT '{}',
  payload         jsonb NOT NULL DEFAULT '{}',
  status          text NOT NULL CHECK (status IN ('queued', 'pending', 'processing', 'deferred', 'consumed', 'error', 'skipped')),
  attempt         integer NOT NULL DEFAULT 1,
  retry_count     integer NOT NULL DEFAULT 0,
  next_retry_at   timestamptz NOT NULL DEFAULT now(),
  defer_reason    text,
  last_error      text,
  claimed_by      text,
  processed_at    timestamptz,
  archived_at     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, inbox_id),
  UNIQUE (project_id, message_type, correlation_id),
  FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE
);
CREATE INDEX agent_inbox_due ON state.agent_inbox (worker_target, next_retry_at) WHERE status IN ('pending', 'deferred');
CREATE INDEX agent_inbox_processing ON state.agent_inbox (processed_at) WHERE status = 'processing';
CREATE INDEX agent_inbox_queued ON state.agent_inbox (project_id, agent_id, created_at, inbox_id) WHERE status = 'queued';
CREATE INDEX agent_inbox_by_turn ON state.agent_inbox (project_id, agent_turn_id);

CREATE TABLE state.turn_waiting_tools (
  project_id          text NOT NULL,
  agent_id            text NOT NULL,
  agent_turn_id       text NOT NULL,
  turn_epoch          bigint NOT NULL,
  tool_call_id        text NOT NULL,
  step_id             text,
  tool_name           text NOT NULL,
  wait_status         text NOT NULL CHECK (wait_status IN ('waiting', 'received', 'applied', 'expired', 'dropped')),
  deadline_at         timestamptz,
  tool_result_card_id text,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id),
  FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE
);
CREATE INDEX turn_waiting_tools_due ON state.turn_waiting_tools (deadline_at) WHERE wait_status = 'waiting';

CREATE TABLE state.execution_edges (
  project_id       text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  edge_id          text NOT NULL,
  primitive        text NOT NULL CHECK (primitive IN ('enqueue', 'report', 'join', 'tool_call')),
  edge_phase       text NOT NULL CHECK (edge_phase IN ('request', 'response')),
  source_agent_id  text,
  source_turn_id   text,
  source_step_id   text,
  target_agent_id  text,
  target_turn_id   text,
  root_turn_id     text,
  correlation_id   text NOT NULL,
  -- (turn, epoch, client's call id): a repeated call is recognised by it.
  client_call_key  text,
  recursion_depth  integer NOT NULL CHECK (recursion_depth >= 0),
  trace_id         text,
  parent_step_id   text,
  is_inferred      boolean NOT NULL DEFAULT false,
  metadata         jsonb NOT NULL DEFAULT '{}',
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, edge_id),
  UNIQUE (project_id, correlation_id, primitive, edge_phase)
);
CREATE UNIQUE INDEX execution_edges_one_call ON state.execution_edges (project_id, client_call_key) WHERE client_call_key IS NOT NULL;
CREATE INDEX execution_edges_by_run ON state.execution_edges (project_id, root_turn_id, created_at) WHERE primitive = 'enqueue';
CREATE INDEX execution_edges_by_target ON state.execution_edges (project_id, target_turn_id) WHERE target_turn_id IS NOT NULL;
CREATE INDEX execution_edges_by_source ON state.execution_edges (project_id, source_turn_id) WHERE source_turn_id IS NOT NULL;

CREATE TABLE state.identity_edges (
  project_id      text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  edge_id         text NOT NULL,
  action          text NOT NULL CHECK (action IN ('provision', 'derive', 'update')),
  source_agent_id text,
  target_agent_id text NOT NULL,
  trace_id        text,
  parent_step_id  text,
  metadata        jsonb NOT NULL DEFAULT '{}',
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, edge_id)
);
CREATE INDEX identity_edges_by_target ON state.identity_edges (project_id, target_agent_id);

CREATE TABLE state.pmo_batches (
  project_id           text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  batch_id             text NOT NULL,
  parent_agent_id      text NOT NULL,
  parent_agent_turn_id text NOT NULL,
  parent_tool_call_id  text NOT NULL,
  parent_turn_epoch    bigint NOT NULL,
  root_turn_id         text NOT NULL,
  task_count           integer NOT NULL CHECK (task_count > 0),
  max_parallel         integer CHECK (max_parallel > 0),
  fail_fast            boolean NOT NULL DEFAULT false,
  deadline_at          timestamptz,
  status               text NOT NULL CHECK (status IN ('running', 'success', 'partial', 'failed', 'timeout', 'canceled')),
  metadata             jsonb NOT NULL DEFAULT '{}',
  rev                  bigint NOT NULL DEFAULT 1,
  created_at           timestamptz NOT NULL DEFAULT now(),
  ended_at             timestamptz,
  PRIMARY KEY (project_id, batch_id),
  UNIQUE (project_id, parent_tool_call_id)
);
CREATE INDEX pmo_batches_running ON state.pmo_batches (deadline_at) WHERE status = 'running';

CREATE TABLE state.pmo_batch_tasks (
  project_id    text NOT NULL,
  batch_task_id text NOT NULL,
  batch_id      text NOT NULL,
  task_index    integer NOT NULL CHECK (task_index >= 0),
  agent_id      text NOT NULL,
  agent_turn_id text,
  status        text NOT NULL CHECK (status IN ('pending', 'dispatched', 'success', 'failed', 'canceled', 'timeout', 'partial')),
  attempt_count integer NOT NULL DEFAULT 0,
  next_retry_at timestamptz,
  context_box_id text,
  output_box_id text,
  result_view   jsonb,
  error_detail  text,
  metadata      jsonb NOT NULL DEFAULT '{}',
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, batch_task_id),
  UNIQUE (project_id, batch_id, task_index),
  FOREIGN KEY (project_id, batch_id) REFERENCES state.pmo_batches (project_id, batch_id) ON DELETE CASCADE,
  CHECK (status <> 'dispatched' OR agent_turn_id IS NOT NULL)
);
CREATE UNIQUE INDEX pmo_batch_tasks_one_turn ON state.pmo_batch_tasks (project_id, agent_turn_id) WHERE agent_turn_id IS NOT NULL;
CREATE INDEX pmo_batch_tasks_pending ON state.pmo_batch_tasks (next_retry_at) WHERE status = 'pending';

CREATE TABLE state.env_data (
  project_id        text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  root_turn_id      text NOT NULL,
  key               text NOT NULL,
  short_description text NOT NULL,
  value             jsonb NOT NULL,
  stored_by         text NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, root_turn_id, key)
);

-- The one log behind the graph, the event streams and the audit. No foreign keys: a project's last frame outlives it.
CREATE TABLE state.journal (
  project_id text NOT NULL,
  event_id   bigint GENERATED ALWAYS AS IDENTITY,
  xid        xid8 NOT NULL DEFAULT pg_current_xact_id(),
  subject    text NOT NULL,
  kind       text NOT NULL,
  entity_id  text NOT NULL,
  rev        bigint NOT NULL,
  frame      jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, xid, event_id)
);
-- K6: a turn ends exactly once.
CREATE UNIQUE INDEX journal_one_task ON state.journal (project_id, entity_id) WHERE kind = 'task';
CREATE INDEX journal_by_age ON state.journal (created_at);

-- Who takes turns, for health and for "no worker takes turns for X". Not of one project: a worker serves them all.
CREATE TABLE state.workers (
  worker_id  text PRIMARY KEY,
  targets    text[] NOT NULL,
  version    text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Answers of mutations that carry an Idempotency-Key.
CREATE TABLE state.idempotency_keys (
  project_id   text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  status       integer NOT NULL,
  body         jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, key)
);

-- Up to where old frames have been dropped: an older cursor must start from a snapshot.
CREATE TABLE state.journal_floor (
  is_one      boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  dropped_xid xid8 NOT NULL
);
