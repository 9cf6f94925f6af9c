// The run of a turn: environment data has its scope from execution records.

/** $1 project, $2 any turn of the run. No row for a turn that is not there. */
export const ROOT_OF = `
  SELECT u.root_turn_id FROM state.runs u WHERE u.project_id = $1
    AND u.root_turn_id = coalesce((SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2), $2)`;
