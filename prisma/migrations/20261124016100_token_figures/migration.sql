-- A model whose window nobody knows has none: 128,000 used to stand for it, and gauges measured against that.
ALTER TABLE state.agent_turns ALTER COLUMN window_tokens DROP NOT NULL;
-- What the last request weighed, and the fullest: every screen read its own figure out of other columns.
ALTER TABLE state.agent_turns ADD COLUMN sent_tokens integer, ADD COLUMN fullest_tokens integer;

-- 128,000 stays where a profile says so itself. Which of the other models are known is the program's to say, for new turns.
UPDATE state.agent_turns t SET window_tokens = NULL
WHERE t.window_tokens = 128000 AND NOT EXISTS (
  SELECT 1 FROM card_box_chunks k JOIN cards c ON c.tenant_id = k.tenant_id AND c.card_id = k.card_ids[1]
  WHERE k.tenant_id = t.project_id AND k.box_id = t.profile_box_id AND k.n = 0
    AND c.content #>> '{data,llm_config,context_window}' = '128000');

UPDATE state.agent_turns t SET fullest_tokens = s.fullest, sent_tokens = s.last
FROM (
  SELECT project_id, agent_turn_id, max(request_tokens) AS fullest, (array_agg(request_tokens ORDER BY ordinal DESC))[1] AS last
  FROM state.agent_steps WHERE request_tokens IS NOT NULL GROUP BY project_id, agent_turn_id
) s
WHERE t.project_id = s.project_id AND t.agent_turn_id = s.agent_turn_id;

-- What MCP servers offered when a worker last asked them, so that a preview can weigh their tools. Of type json: jsonb would
-- put the keys into another order than the one they are sent in.
CREATE TABLE resource.mcp_offers (
  project_id  text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  -- sha256 of the profile's reference to the server.
  server_key  text NOT NULL,
  server_name text NOT NULL,
  tools       json NOT NULL,
  told_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, server_key)
);
