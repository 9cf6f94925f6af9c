// The stored requests of a turn, by its key, for a LATERAL join.

/** `turn` is SQL, $1 the project. OFFSET 0 keeps the planner from making this a plain join, which read every step of the project. */
export const sentRequests = (
  turn: string,
): string => `(SELECT s.step_id, s.ordinal, s.request_box_id FROM state.agent_steps s
      WHERE s.project_id = $1 AND s.agent_turn_id = ${turn} AND s.request_box_id IS NOT NULL OFFSET 0)`;
