-- The same ids pass and the same are refused, but a counted repetition ({1,128}) makes the regular expression so large that
-- it took longer than the rest of a row's insert, and of each of a turn's updates as well.

-- In the order in which units lock: with the cards first and the turns last, a unit between the two was a deadlock.
LOCK TABLE state.agent_turns, resource.project_agents, cards, card_boxes, projects IN ACCESS EXCLUSIVE MODE;

ALTER TABLE projects DROP CONSTRAINT projects_project_id_check,
  ADD CONSTRAINT projects_project_id_check CHECK (project_id !~ '[^A-Za-z0-9_-]' AND length(project_id) BETWEEN 1 AND 128);
ALTER TABLE cards DROP CONSTRAINT cards_card_id_check,
  ADD CONSTRAINT cards_card_id_check CHECK (card_id !~ '[^A-Za-z0-9_-]' AND length(card_id) BETWEEN 1 AND 128);
ALTER TABLE card_boxes DROP CONSTRAINT card_boxes_box_id_check,
  ADD CONSTRAINT card_boxes_box_id_check CHECK (box_id !~ '[^A-Za-z0-9_-]' AND length(box_id) BETWEEN 1 AND 128);
ALTER TABLE resource.project_agents DROP CONSTRAINT project_agents_agent_id_check,
  ADD CONSTRAINT project_agents_agent_id_check CHECK (agent_id !~ '[^A-Za-z0-9_-]' AND length(agent_id) BETWEEN 1 AND 128);
ALTER TABLE state.agent_turns DROP CONSTRAINT agent_turns_agent_turn_id_check,
  ADD CONSTRAINT agent_turns_agent_turn_id_check CHECK (agent_turn_id !~ '[^A-Za-z0-9_-]' AND length(agent_turn_id) BETWEEN 1 AND 128);
