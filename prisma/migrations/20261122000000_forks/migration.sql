-- Forks: a turn says which branch it is, a batch which tool asked for it, a task how often it has changed.
ALTER TABLE state.agent_turns ADD COLUMN batch_id text, ADD COLUMN task_index integer CHECK (task_index >= 0);
CREATE INDEX agent_turns_by_batch ON state.agent_turns (project_id, batch_id) WHERE batch_id IS NOT NULL;

ALTER TABLE state.pmo_batches ADD COLUMN tool_name text NOT NULL DEFAULT 'fork_join' CHECK (tool_name IN ('fork_join', 'ask_expert'));
CREATE INDEX pmo_batches_by_parent ON state.pmo_batches (project_id, parent_agent_turn_id);
CREATE INDEX pmo_batches_by_run ON state.pmo_batches (project_id, root_turn_id, created_at);
CREATE INDEX pmo_batches_by_age ON state.pmo_batches (project_id, created_at DESC, batch_id DESC);

ALTER TABLE state.pmo_batch_tasks ADD COLUMN rev bigint NOT NULL DEFAULT 1;

-- A result is looked up by its call, whoever asks.
CREATE INDEX turn_waiting_tools_by_call ON state.turn_waiting_tools (project_id, tool_call_id);
