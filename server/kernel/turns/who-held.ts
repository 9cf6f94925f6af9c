// Who held a turn under an epoch: whoever took the turn, or the result that woke it. Its row says who took it last; of those before
// them state.turn_holders does, and of before turns were their own messages, the messages. Writes bring an epoch and, over REST, no
// name; people want to know whose they are.

const TAKEN = "i.status = 'consumed' AND i.claimed_by IS NOT NULL";

/** An expression of `g.agent_turn_id` and `g.turn_epoch` in project $1; null where nobody knows. Found by unique keys. */
export const HELD_BY = `(
  SELECT held.claimed_by FROM (
    SELECT t.taken_by AS claimed_by, 'infinity'::timestamptz AS archived_at FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id AND t.taken_epoch = g.turn_epoch AND t.taken_by IS NOT NULL
    UNION ALL
    SELECT h.held_by, 'infinity' FROM state.turn_holders h
    WHERE h.project_id = $1 AND h.agent_turn_id = g.agent_turn_id AND h.turn_epoch = g.turn_epoch
    UNION ALL
    SELECT i.claimed_by, i.archived_at FROM state.inbox_messages i
    WHERE i.project_id = $1 AND i.message_type = 'turn' AND i.turn_epoch = g.turn_epoch AND ${TAKEN}
      AND i.correlation_id IN (g.agent_turn_id, g.agent_turn_id || '.' || g.turn_epoch)
    UNION ALL
    SELECT i.claimed_by, i.archived_at FROM state.agent_turns t
    JOIN state.turn_waiting_tools w ON w.project_id = $1 AND w.agent_id = t.agent_id AND w.agent_turn_id = t.agent_turn_id
    JOIN state.inbox_messages i ON i.project_id = $1 AND i.message_type IN ('tool_result', 'timeout')
      AND i.correlation_id = w.tool_call_id AND i.turn_epoch = g.turn_epoch - 1 AND ${TAKEN}
    WHERE t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id
  ) held ORDER BY held.archived_at DESC LIMIT 1)`;
