// Turns of agents that are leased and have not ended, without an index that every move of a turn would touch: what waits for a worker or
// runs stands in state.due, what sleeps waits for a call.

/** An expression: rows of `agent_turn_id`, of one project. */
export const liveTurnsSql = (project: string): string => `(
    SELECT d.agent_turn_id FROM state.due d WHERE d.project_id = ${project} AND (d.queued_for IS NULL OR d.turn_epoch > 0)
    UNION ALL ${sleepingTurnsSql(project)})`;

/** The same of those that sleep. */
export const sleepingTurnsSql = (project: string): string => `
    SELECT t.agent_turn_id FROM (SELECT DISTINCT w.agent_turn_id FROM state.turn_waiting_tools w
      WHERE w.project_id = ${project} AND w.wait_status IN ('waiting', 'received')) w
    CROSS JOIN LATERAL (SELECT t.agent_turn_id FROM state.agent_turns t
      WHERE t.project_id = ${project} AND t.agent_turn_id = w.agent_turn_id AND t.status = 'suspended' OFFSET 0) t`;
