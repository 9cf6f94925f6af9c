-- A profile that names no model is for a worker of one's own: the built-in one never takes its turns, and does not look at
-- their rows. Rows that are there keep what they had: their turns may be half done by whoever took them.
ALTER TABLE state.agent_turns ADD COLUMN needs_own_worker boolean NOT NULL DEFAULT false;
ALTER TABLE state.agent_inbox ADD COLUMN needs_own_worker boolean NOT NULL DEFAULT false;

-- A claim goes round the projects of its targets, and takes in each what wakes a turn before what starts one, longest due
-- first. In due order over everything, one project with a thousand turns made everybody else's wait for all of them.
CREATE INDEX agent_inbox_claimed ON state.agent_inbox
  (worker_target, project_id, needs_own_worker, (CASE message_type WHEN 'turn' THEN 1 ELSE 0 END), next_retry_at, created_at, inbox_id)
  WHERE status IN ('pending', 'deferred');
DROP INDEX state.agent_inbox_due;

-- How much of a project waits is counted up to its limit, by this index alone.
CREATE INDEX agent_inbox_waiting ON state.agent_inbox (project_id)
  WHERE message_type = 'turn' AND status IN ('queued', 'pending', 'deferred');
