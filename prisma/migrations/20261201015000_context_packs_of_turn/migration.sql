-- The packs that a turn has made, looked up when it ends: its branch's result names the newest one.
CREATE INDEX context_packs_of_turn ON resource.context_packs (project_id, agent_turn_id, created_at DESC) WHERE agent_turn_id IS NOT NULL;
