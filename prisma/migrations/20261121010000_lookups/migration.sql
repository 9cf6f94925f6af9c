-- Look-ups by box: who may hand a box over, who saw a card, and the foreign keys when a project goes.
CREATE INDEX agent_turns_by_context ON state.agent_turns (project_id, context_box_id);
CREATE INDEX agent_turns_by_output ON state.agent_turns (project_id, output_box_id) WHERE output_box_id IS NOT NULL;
CREATE INDEX project_agents_by_profile_box ON resource.project_agents (project_id, profile_box_id);
-- How far the search table has come: it is filled in the order of age.
CREATE INDEX card_search_by_age ON card_search (tenant_id, created_at);
