-- Inside a project claims go round its runs: one fan-out of thousands does not hold up the small launch beside it. The key is
-- a hash of the run's root turn: it spreads evenly and is short in an index. Rows that wait now count as one run.
ALTER TABLE state.agent_inbox ADD COLUMN run_key integer NOT NULL DEFAULT 0;

CREATE INDEX agent_inbox_by_run ON state.agent_inbox
  (worker_target, project_id, needs_own_worker, (CASE message_type WHEN 'turn' THEN 1 ELSE 0 END), run_key, next_retry_at, created_at, inbox_id)
  WHERE status IN ('pending', 'deferred');
DROP INDEX state.agent_inbox_claimed;
