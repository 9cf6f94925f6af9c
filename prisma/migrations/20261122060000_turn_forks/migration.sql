-- A fork says where it began: {agent_turn_id, step_id, ordinal, headcode, replaced, dropped, followed}. Written once, with the
-- turn. The turn that was forked finds its forks by it.
ALTER TABLE state.agent_turns ADD COLUMN forked_from jsonb;
CREATE INDEX agent_turns_forks ON state.agent_turns (project_id, (forked_from ->> 'agent_turn_id')) WHERE forked_from IS NOT NULL;
