// Limits of a run in SQL: what it has used, and which of its turns wait for a limit. Computed from the rows of its turns, and
// only for runs that have limits. $1 is the project.
/** How many turns of a run are held. */
export const waitingSql = (root: string): string => `
  (SELECT count(*)::int FROM state.due d JOIN state.agent_turns w ON w.project_id = d.project_id AND w.agent_turn_id = d.agent_turn_id
    WHERE d.project_id = $1 AND d.run_key = hashtext(${root}) AND d.is_held AND w.root_turn_id = ${root})`;

/** One row: the turns of agents, their tokens and cost. */
export const usedSql = (root: string): string => `
  SELECT count(*)::int AS turns, coalesce(sum(t.tokens_in + t.tokens_out), 0)::bigint AS tokens, coalesce(sum(t.cost), 0) AS cost
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = ${root} AND NOT t.is_human`;

/** Of tokens and cost, for a run `r` and what it has `used`. */
export const SPENT = `coalesce(used.tokens >= (r.limits ->> 'tokens_max')::bigint OR used.cost >= (r.limits ->> 'cost_max')::numeric, false)`;

/** How many more turns may begin in a run `r`; null = as many as there are. */
export const roomSql = (root: string): string => `
  CASE WHEN r.limits IS NULL THEN NULL ELSE (
    SELECT CASE WHEN used.tokens >= (r.limits ->> 'tokens_max')::bigint OR used.cost >= (r.limits ->> 'cost_max')::numeric THEN 0
      WHEN r.limits ? 'turns_max' THEN greatest(0, (r.limits ->> 'turns_max')::int - (used.turns - ${waitingSql(root)})) END
    FROM (${usedSql(root)}) used) END`;
