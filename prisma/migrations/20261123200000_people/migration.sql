-- A person is a fact that the kernel writes, and no word. Whoever called a profile's worker target `human` used to have its
-- turns taken for a person's: their ends left the head where it was, and every look for silent workers broke at them.
ALTER TABLE resource.project_agents ADD COLUMN is_human boolean NOT NULL DEFAULT false;
ALTER TABLE state.agent_turns ADD COLUMN is_human boolean NOT NULL DEFAULT false;

-- Only launches and imports could ever write all three together: ids that begin with human_ were people's, and the profile
-- sys.human gives its agents ids that begin with sys-human_.
UPDATE resource.project_agents SET is_human = true
WHERE agent_id LIKE 'human\_%' AND profile_name = 'sys.human' AND worker_target = 'human';
UPDATE state.agent_turns t SET is_human = true FROM resource.project_agents a
WHERE a.is_human AND t.project_id = a.project_id AND t.agent_id = a.agent_id;

-- A process of the version before writes people without the fact for as long as both run.
CREATE FUNCTION state.say_human() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.is_human := true; RETURN NEW; END $$;
CREATE TRIGGER agents_say_human BEFORE INSERT ON resource.project_agents FOR EACH ROW
  WHEN (NOT NEW.is_human AND NEW.worker_target = 'human' AND NEW.profile_name = 'sys.human' AND NEW.agent_id LIKE 'human\_%')
  EXECUTE FUNCTION state.say_human();
CREATE TRIGGER turns_say_human BEFORE INSERT ON state.agent_turns FOR EACH ROW
  WHEN (NOT NEW.is_human AND NEW.worker_target = 'human' AND NEW.profile_name = 'sys.human' AND NEW.agent_id LIKE 'human\_%')
  EXECUTE FUNCTION state.say_human();

-- Heads that such an end has left behind: their turn is over, so they are free.
UPDATE state.agent_state_head h SET status = 'idle', active_agent_turn_id = NULL, context_box_id = NULL, output_box_id = NULL,
  parent_step_id = NULL, trace_id = NULL, waiting_tool_count = 0, resume_deadline = NULL, lease_holder = NULL, leased_at = NULL,
  heartbeat_at = NULL, rung_at = NULL, updated_at = now()
FROM state.agent_turns t
WHERE t.project_id = h.project_id AND t.agent_turn_id = h.active_agent_turn_id AND t.ended_at IS NOT NULL;
