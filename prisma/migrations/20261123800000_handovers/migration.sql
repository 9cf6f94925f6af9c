-- A turn that is handed on by a worker that stops in order has lost nothing: it is counted here, and no longer as an attempt.
-- A constant default writes no row.
ALTER TABLE state.agent_turns ADD COLUMN handovers integer NOT NULL DEFAULT 0;
