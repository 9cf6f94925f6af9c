-- People name a turn by its headcode. Every run has a 1A01, so without this a search walked all turns of a project to find the
-- newest ones.
CREATE INDEX agent_turns_by_headcode ON state.agent_turns (project_id, headcode, created_at);
