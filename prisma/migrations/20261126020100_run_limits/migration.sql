-- What a run may use before its new turns are held, and which limit holds it now. A turn is held by its row in the inbox: it
-- stays queued with this reason, where no claim looks.
ALTER TABLE state.runs ADD COLUMN limits jsonb, ADD COLUMN held jsonb;
CREATE INDEX agent_inbox_held ON state.agent_inbox (project_id, run_key) WHERE status = 'queued' AND defer_reason = 'run_limit';
