-- What a run's agents share. The run counts its changes: one number for the frames of all its keys, which a key keeps when it
-- is deleted and stored again, and whose row, locked by counting, lets two writers never pass the limit of keys together.
ALTER TABLE state.runs ADD COLUMN env_rev bigint NOT NULL DEFAULT 0;

ALTER TABLE state.env_data
  ADD COLUMN rev             bigint NOT NULL DEFAULT 1,
  -- Bytes of the value as JSON: a list is not to read values for their weight.
  ADD COLUMN value_bytes     integer NOT NULL DEFAULT 0,
  -- Absent where a person stored it.
  ADD COLUMN stored_by_turn_id text;

-- An agent's change is made once: a worker that took the turn over makes the same call.
CREATE TABLE state.env_calls (
  project_id    text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  tool_call_id  text NOT NULL,
  agent_turn_id text NOT NULL,
  root_turn_id  text NOT NULL,
  key           text NOT NULL,
  change        text NOT NULL CHECK (change IN ('stored', 'updated', 'deleted')),
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, tool_call_id)
);
