-- Less of the log for a turn; nothing is stored or answered differently. What is measured by: bench/README.md.

-- All at once and in the order in which units lock: taken one by one, with the copying between them, they and the units that
-- were running waited for each other, and it was the migration that Postgres gave up.
LOCK TABLE state.agent_state_head, state.agent_turns, state.pmo_batches, state.pmo_batch_tasks, state.agent_steps,
  state.turn_waiting_tools, state.human_requests, state.agent_inbox, state.execution_edges, state.identity_edges,
  resource.project_agents, cards, card_boxes, projects IN ACCESS EXCLUSIVE MODE;

-- Of an update the log has what lies between the first and the last byte that changed. The columns that change stand at the
-- end of the row now, those that change most often last; before, each write of a turn logged nearly all of its row.
CREATE SCHEMA old_shape;
ALTER TABLE state.agent_turns SET SCHEMA old_shape;
ALTER TABLE state.agent_state_head SET SCHEMA old_shape;
ALTER TABLE state.pmo_batch_tasks SET SCHEMA old_shape;

-- More room in the page: an update that finds it there touches no index, and has no whole row in the log. The tables are no
-- bigger for it: what found no room took a new page.
CREATE TABLE state.agent_turns (
  project_id          text NOT NULL,
  agent_turn_id       text NOT NULL CHECK (agent_turn_id ~ '^[A-Za-z0-9_-]{1,128}$'),
  agent_id            text NOT NULL,
  root_turn_id        text NOT NULL,
  parent_turn_id      text,
  parent_step_id      text,
  parent_tool_call_id text,
  primitive           text NOT NULL CHECK (primitive IN ('delegate_async', 'fork_join', 'ask_expert', 'launch_principal', 'ui_action', 'import')),
  target_strategy     text CHECK (target_strategy IN ('new', 'reuse', 'clone')),
  channel             text NOT NULL DEFAULT 'public',
  trace_id            text NOT NULL,
  profile_box_id      text NOT NULL,
  profile_name        text NOT NULL,
  worker_target       text NOT NULL,
  context_box_id      text NOT NULL,
  context_consist     text NOT NULL DEFAULT '',
  instruction_card_id text,
  batch_id            text,
  batch_task_id       text,
  action_id           text,
  headcode            text NOT NULL,
  title               text NOT NULL,
  depth               integer NOT NULL CHECK (depth >= 0),
  task_index          integer CHECK (task_index >= 0),
  window_tokens       integer NOT NULL,
  context_cards       integer NOT NULL DEFAULT 0,
  context_tokens      bigint NOT NULL DEFAULT 0,
  created_at          timestamptz NOT NULL DEFAULT now(),
  mark                jsonb,
  forked_from         jsonb,
  -- With the lease.
  output_box_id       text,
  output_start        integer,
  attempt             integer NOT NULL DEFAULT 1,
  leased_at           timestamptz,
  -- With the end.
  ended_at            timestamptz,
  deliverable_card_id text,
  error_code          text,
  error               text,
  -- With every step.
  cost                numeric(14, 6),
  step_count          integer NOT NULL DEFAULT 0,
  output_cards        integer NOT NULL DEFAULT 0,
  output_tokens       bigint NOT NULL DEFAULT 0,
  tokens_in           bigint NOT NULL DEFAULT 0,
  tokens_out          bigint NOT NULL DEFAULT 0,
  output_consist      text NOT NULL DEFAULT '',
  note                text,
  -- With every move.
  started_at          timestamptz,
  turn_epoch          bigint NOT NULL DEFAULT 0,
  heartbeat_at        timestamptz,
  rev                 bigint NOT NULL DEFAULT 1,
  status              text NOT NULL CHECK (status IN ('queued', 'dispatched', 'running', 'suspended', 'success', 'partial', 'failed', 'timeout', 'canceled')),
  lease_holder        text,
  PRIMARY KEY (project_id, agent_turn_id),
  CHECK ((ended_at IS NULL) = (status IN ('queued', 'dispatched', 'running', 'suspended'))),
  CHECK (status NOT IN ('success', 'partial', 'failed', 'timeout', 'canceled') OR deliverable_card_id IS NOT NULL),
  CHECK (status = 'queued' OR output_box_id IS NOT NULL)
) WITH (fillfactor = 45);

CREATE TABLE state.agent_state_head (
  project_id           text NOT NULL,
  agent_id             text NOT NULL,
  -- With the lease, and empty again with the end.
  active_agent_turn_id text,
  profile_box_id       text,
  context_box_id       text,
  output_box_id        text,
  parent_step_id       text,
  trace_id             text,
  leased_at            timestamptz,
  -- With every move.
  turn_epoch           bigint NOT NULL DEFAULT 0,
  resume_deadline      timestamptz,
  heartbeat_at         timestamptz,
  rung_at              timestamptz,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  waiting_tool_count   integer NOT NULL DEFAULT 0,
  status               text NOT NULL DEFAULT 'idle' CHECK (status IN ('idle', 'dispatched', 'running', 'suspended')),
  lease_holder         text,
  PRIMARY KEY (project_id, agent_id),
  CHECK ((status = 'idle') = (active_agent_turn_id IS NULL))
) WITH (fillfactor = 50);

CREATE TABLE state.pmo_batch_tasks (
  project_id     text NOT NULL,
  batch_task_id  text NOT NULL,
  batch_id       text NOT NULL,
  agent_id       text NOT NULL,
  context_box_id text,
  task_index     integer NOT NULL CHECK (task_index >= 0),
  created_at     timestamptz NOT NULL DEFAULT now(),
  -- With its dispatch.
  metadata       jsonb NOT NULL DEFAULT '{}',
  agent_turn_id  text,
  attempt_count  integer NOT NULL DEFAULT 0,
  next_retry_at  timestamptz,
  -- With the end of its turn, and of its batch.
  output_box_id  text,
  error_detail   text,
  result_view    jsonb,
  updated_at     timestamptz NOT NULL DEFAULT now(),
  rev            bigint NOT NULL DEFAULT 1,
  status         text NOT NULL CHECK (status IN ('pending', 'dispatched', 'success', 'failed', 'canceled', 'timeout', 'partial')),
  PRIMARY KEY (project_id, batch_task_id),
  UNIQUE (project_id, batch_id, task_index),
  CHECK (status <> 'dispatched' OR agent_turn_id IS NOT NULL)
) WITH (fillfactor = 40);

INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, parent_turn_id, parent_step_id, parent_tool_call_id,
  primitive, target_strategy, channel, trace_id, profile_box_id, profile_name, worker_target, context_box_id, context_consist,
  instruction_card_id, batch_id, batch_task_id, action_id, headcode, title, depth, task_index, window_tokens, context_cards,
  context_tokens, created_at, mark, forked_from, output_box_id, output_start, attempt, leased_at, ended_at, deliverable_card_id,
  error_code, error, cost, step_count, output_cards, output_tokens, tokens_in, tokens_out, output_consist, note, started_at,
  turn_epoch, heartbeat_at, rev, status, lease_holder)
SELECT project_id, agent_turn_id, agent_id, root_turn_id, parent_turn_id, parent_step_id, parent_tool_call_id,
  primitive, target_strategy, channel, trace_id, profile_box_id, profile_name, worker_target, context_box_id, context_consist,
  instruction_card_id, batch_id, batch_task_id, action_id, headcode, title, depth, task_index, window_tokens, context_cards,
  context_tokens, created_at, mark, forked_from, output_box_id, output_start, attempt, leased_at, ended_at, deliverable_card_id,
  error_code, error, cost, step_count, output_cards, output_tokens, tokens_in, tokens_out, output_consist, note, started_at,
  turn_epoch, heartbeat_at, rev, status, lease_holder
FROM old_shape.agent_turns;

INSERT INTO state.agent_state_head (project_id, agent_id, active_agent_turn_id, profile_box_id, context_box_id, output_box_id,
  parent_step_id, trace_id, leased_at, turn_epoch, resume_deadline, heartbeat_at, rung_at, updated_at, waiting_tool_count, status,
  lease_holder)
SELECT project_id, agent_id, active_agent_turn_id, profile_box_id, context_box_id, output_box_id,
  parent_step_id, trace_id, leased_at, turn_epoch, resume_deadline, heartbeat_at, rung_at, updated_at, waiting_tool_count, status,
  lease_holder
FROM old_shape.agent_state_head;

INSERT INTO state.pmo_batch_tasks (project_id, batch_task_id, batch_id, agent_id, context_box_id, task_index, created_at, metadata,
  agent_turn_id, attempt_count, next_retry_at, output_box_id, error_detail, result_view, updated_at, rev, status)
SELECT project_id, batch_task_id, batch_id, agent_id, context_box_id, task_index, created_at, metadata,
  agent_turn_id, attempt_count, next_retry_at, output_box_id, error_detail, result_view, updated_at, rev, status
FROM old_shape.pmo_batch_tasks;

-- Whoever might read the old tables may read the new ones.
DO $$
DECLARE
  old_table regclass; new_table regclass; said record;
BEGIN
  FOR old_table, new_table IN VALUES
    ('old_shape.agent_turns'::regclass, 'state.agent_turns'::regclass),
    ('old_shape.agent_state_head', 'state.agent_state_head'),
    ('old_shape.pmo_batch_tasks', 'state.pmo_batch_tasks')
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

-- By name and without CASCADE: a view of somebody else's stops it by its name, and is not dropped unsaid.
ALTER TABLE state.agent_steps DROP CONSTRAINT agent_steps_project_id_agent_turn_id_fkey;
ALTER TABLE state.turn_waiting_tools DROP CONSTRAINT turn_waiting_tools_project_id_agent_turn_id_fkey;
ALTER TABLE state.human_requests DROP CONSTRAINT human_requests_project_id_agent_turn_id_fkey;
DROP TABLE old_shape.agent_turns, old_shape.agent_state_head, old_shape.pmo_batch_tasks;
DROP SCHEMA old_shape;

ALTER TABLE state.agent_turns
  ADD FOREIGN KEY (project_id) REFERENCES projects (project_id) ON DELETE CASCADE,
  ADD FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE,
  ADD FOREIGN KEY (project_id, context_box_id) REFERENCES card_boxes (tenant_id, box_id);
ALTER TABLE state.agent_steps
  ADD FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE;
ALTER TABLE state.turn_waiting_tools
  ADD FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE;
ALTER TABLE state.human_requests
  ADD FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE;
ALTER TABLE state.agent_state_head
  ADD FOREIGN KEY (project_id, agent_id) REFERENCES resource.project_agents (project_id, agent_id) ON DELETE CASCADE;
ALTER TABLE state.pmo_batch_tasks
  ADD FOREIGN KEY (project_id, batch_id) REFERENCES state.pmo_batches (project_id, batch_id) ON DELETE CASCADE;

CREATE INDEX agent_turns_by_run ON state.agent_turns (project_id, root_turn_id, created_at, agent_turn_id);
CREATE INDEX agent_turns_by_age ON state.agent_turns (project_id, created_at, agent_turn_id);
CREATE INDEX agent_turns_by_agent ON state.agent_turns (project_id, agent_id, created_at);
CREATE INDEX agent_turns_by_parent ON state.agent_turns (project_id, parent_turn_id) WHERE parent_turn_id IS NOT NULL;
CREATE INDEX agent_turns_by_batch ON state.agent_turns (project_id, batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX agent_turns_by_context ON state.agent_turns (project_id, context_box_id);
CREATE INDEX agent_turns_by_output ON state.agent_turns (project_id, output_box_id) WHERE output_box_id IS NOT NULL;
CREATE INDEX agent_turns_forks ON state.agent_turns (project_id, (forked_from ->> 'agent_turn_id')) WHERE forked_from IS NOT NULL;
CREATE UNIQUE INDEX agent_turns_one_action ON state.agent_turns (project_id, action_id) WHERE action_id IS NOT NULL;
-- K5: two live turns never share an output box.
CREATE UNIQUE INDEX agent_state_head_one_per_output ON state.agent_state_head (project_id, output_box_id)
  WHERE active_agent_turn_id IS NOT NULL;
CREATE UNIQUE INDEX pmo_batch_tasks_one_turn ON state.pmo_batch_tasks (project_id, agent_turn_id) WHERE agent_turn_id IS NOT NULL;

ALTER TABLE state.agent_inbox SET (fillfactor = 50);
ALTER TABLE card_boxes SET (fillfactor = 65);
ALTER TABLE resource.project_agents SET (fillfactor = 60);

-- Ascending, and read backwards: what is new goes to the right edge, where a full page is not split in half.
DROP INDEX cards_by_age;
CREATE INDEX cards_by_age ON cards (tenant_id, created_at, card_id);
DROP INDEX card_boxes_by_age;
CREATE INDEX card_boxes_by_age ON card_boxes (tenant_id, created_at, box_id);
DROP INDEX state.pmo_batches_by_age;
CREATE INDEX pmo_batches_by_age ON state.pmo_batches (project_id, created_at, batch_id);

-- Nobody asks for the rows of a turn but for those that are open, nor draws an edge but for its request.
DROP INDEX state.agent_inbox_by_turn;
CREATE INDEX agent_inbox_by_turn ON state.agent_inbox (project_id, agent_turn_id)
  WHERE status IN ('queued', 'pending', 'processing', 'deferred');
DROP INDEX state.execution_edges_by_run;
CREATE INDEX execution_edges_by_run ON state.execution_edges (project_id, root_turn_id, created_at)
  WHERE primitive = 'enqueue' AND edge_phase = 'request';

-- Nobody asked by it: who looks for an agent's edges looks for both of their ends.
DROP INDEX state.identity_edges_by_target;

ANALYZE state.agent_turns, state.agent_state_head, state.pmo_batch_tasks;
