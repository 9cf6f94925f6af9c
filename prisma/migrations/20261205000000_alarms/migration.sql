-- What a sweep found after a turn or a batch had ended (docs/debugging.md). Swept twice, a turn gives the same rows.
CREATE TABLE state.alarms (
  project_id    text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  alarm_id      text NOT NULL,
  rule          text NOT NULL CHECK (rule IN ('sibling_lacks', 'left_behind', 'passed_unseen', 'off_recipe', 'paid_often',
    'pressure', 'prefix_broken', 'loop', 'no_reader', 'secret', 'late')),
  subject_kind  text NOT NULL CHECK (subject_kind IN ('turn', 'batch', 'box', 'card', 'agent')),
  subject_id    text NOT NULL,
  -- The run in which it was found, and the turn where to look.
  root_turn_id  text NOT NULL,
  agent_turn_id text NOT NULL,
  figures       jsonb NOT NULL CHECK (jsonb_typeof(figures) = 'object' AND octet_length(figures::text) <= 2048),
  found_at      timestamptz NOT NULL DEFAULT now(),
  rev           bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, alarm_id)
);
CREATE UNIQUE INDEX alarms_once ON state.alarms (project_id, rule, subject_id);
CREATE INDEX alarms_newest ON state.alarms (project_id, found_at DESC, alarm_id DESC);
CREATE INDEX alarms_by_run ON state.alarms (project_id, root_turn_id, found_at DESC);
CREATE INDEX alarms_by_subject ON state.alarms (project_id, subject_id);
CREATE INDEX alarms_by_turn ON state.alarms (project_id, agent_turn_id);

-- Of one alarm, or of a rule in this project (alarm_id is then empty). A row stays when it is lifted, for its rev.
CREATE TABLE state.alarm_mutes (
  project_id text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  rule       text NOT NULL,
  alarm_id   text NOT NULL DEFAULT '',
  scope      text NOT NULL CHECK (scope IN ('this', 'rule')),
  person     text NOT NULL,
  reason     text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  is_muted   boolean NOT NULL DEFAULT true,
  muted_at   timestamptz NOT NULL DEFAULT now(),
  rev        bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, rule, alarm_id),
  CHECK ((scope = 'rule') = (alarm_id = ''))
);

-- What the sweep has not looked at yet. A row is written by the statement that ends the turn or the batch, and goes in the
-- transaction that writes what was found: a process that dies in between loses nothing.
CREATE TABLE state.alarm_due (
  project_id   text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  due_id       bigint GENERATED ALWAYS AS IDENTITY,
  subject_kind text NOT NULL CHECK (subject_kind IN ('turn', 'batch')),
  subject_id   text NOT NULL,
  -- Left to the process that took it until then.
  taken_until  timestamptz,
  PRIMARY KEY (project_id, due_id)
);

-- Thresholds of the rules that differ from the program's, by name.
ALTER TABLE public.projects ADD COLUMN alarm_limits jsonb NOT NULL DEFAULT '{}'
  CHECK (jsonb_typeof(alarm_limits) = 'object' AND octet_length(alarm_limits::text) <= 2048);

-- Runs that ended before this version are swept too.
INSERT INTO state.alarm_due (project_id, subject_kind, subject_id)
SELECT project_id, 'turn', agent_turn_id FROM state.agent_turns WHERE ended_at IS NOT NULL AND NOT is_human
ORDER BY project_id, created_at, agent_turn_id;
INSERT INTO state.alarm_due (project_id, subject_kind, subject_id)
SELECT project_id, 'batch', batch_id FROM state.pmo_batches WHERE status <> 'running' ORDER BY project_id, created_at, batch_id;
