-- Calls of tools that are being carried out: whoever takes one carries it out, and the same call made again meanwhile waits. A row
-- goes with the result; one whose service reports later stays, so that it is not asked again.
CREATE TABLE state.calls_in_flight (
  project_id    text NOT NULL,
  tool_call_id  text NOT NULL,
  agent_turn_id text NOT NULL,
  holder        text NOT NULL,
  leased_until  timestamptz NOT NULL,
  is_asked      boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, tool_call_id),
  FOREIGN KEY (project_id, agent_turn_id) REFERENCES state.agent_turns (project_id, agent_turn_id) ON DELETE CASCADE
);
