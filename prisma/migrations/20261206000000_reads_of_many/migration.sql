-- Lists of a large project read all of it, and sorted that for a page of fifty: there was no index by age.
CREATE INDEX project_agents_by_age ON resource.project_agents (project_id, created_at, agent_id);
CREATE INDEX agent_steps_by_age ON state.agent_steps (project_id, started_at, step_id);
-- Both ends of an edge between agents: the page of one agent read the edges of all.
CREATE INDEX identity_edges_by_target ON state.identity_edges (project_id, target_agent_id);
CREATE INDEX identity_edges_by_source ON state.identity_edges (project_id, source_agent_id) WHERE source_agent_id IS NOT NULL;
-- Boxes of kinds that turns do not make, and the boxes of one agent, among those of all turns.
CREATE INDEX card_boxes_rare ON card_boxes (tenant_id, kind, created_at, box_id) WHERE kind IN ('profile', 'pack', 'import', 'plain');
CREATE INDEX card_boxes_by_agent ON card_boxes (tenant_id, owner_agent_id, created_at, box_id) WHERE owner_agent_id IS NOT NULL;
-- The agents of a profile, by name: names stay when a profile gets a new version.
CREATE INDEX project_agents_by_profile ON resource.project_agents (project_id, profile_name, created_at, agent_id);
-- Cards with the same words: the first digits of their digest tell them apart, and take a quarter of the room. Facts that Switchyard
-- writes for every turn are no words of anybody, and half of all cards.
CREATE INDEX cards_by_words ON cards (left(content_hash, 16)) WHERE metadata ->> 'type' NOT LIKE 'meta.%';
-- Copies of a card, which redaction and forks make.
CREATE INDEX cards_by_original ON cards (tenant_id, coalesce(metadata ->> 'redacted_from', metadata ->> 'replaces'))
  WHERE coalesce(metadata ->> 'redacted_from', metadata ->> 'replaces') IS NOT NULL;
