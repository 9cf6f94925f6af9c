-- What an action asked for: the same action_id with another request is told so, and not answered with what it did not ask for.
ALTER TABLE state.agent_turns ADD COLUMN action_sha256 text;
