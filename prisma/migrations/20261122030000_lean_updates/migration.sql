-- A turn is written four times in its life. Each of those writes went into every index of its row, because some index named
-- its status; without such an index, and with room left in the page, an update touches no index at all.

-- K1 is held by the key of the heads (one head an agent, one active turn a head); K5 moves to the heads, which alone say
-- what an agent does now. The watchdog finds the active ones by the same index.
DROP INDEX state.agent_turns_one_live_per_output;
DROP INDEX state.agent_turns_one_live_per_agent;
DROP INDEX state.agent_state_head_active;
CREATE UNIQUE INDEX agent_state_head_one_per_output ON state.agent_state_head (project_id, output_box_id)
  WHERE active_agent_turn_id IS NOT NULL;

-- Nobody asked by it: branches are found by their batch.
DROP INDEX state.pmo_batch_tasks_pending;

-- In the order of writing, so that a range of it says enough.
DROP INDEX state.journal_by_age;
CREATE INDEX journal_by_age ON state.journal USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

ALTER TABLE state.agent_turns SET (fillfactor = 60);
ALTER TABLE state.agent_state_head SET (fillfactor = 60);
ALTER TABLE state.agent_inbox SET (fillfactor = 70);
ALTER TABLE state.pmo_batch_tasks SET (fillfactor = 60);
ALTER TABLE card_boxes SET (fillfactor = 85);
ALTER TABLE resource.project_agents SET (fillfactor = 85);
