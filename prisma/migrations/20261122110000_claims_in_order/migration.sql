-- A claim takes the sixteen rows that have been due the longest. By this index it reads them in that order and stops; by
-- target it read all rows that waited and sorted them, for each claim again.
DROP INDEX state.agent_inbox_due;
CREATE INDEX agent_inbox_due ON state.agent_inbox (next_retry_at, created_at, inbox_id) WHERE status IN ('pending', 'deferred');
