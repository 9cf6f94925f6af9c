// Which runs are old enough to be deleted by age: launched here, with nothing left to do, and with no turn that ended later. Imports and
// demos stay: they were brought along to be looked at, and their times are those of elsewhere.

/** Of `runs r`; `days` is SQL. */
export const isOld = (days: string) => `r.source = 'launch' AND r.created_at < now() - ${days} * interval '1 day'`;
/** Of `runs r` that is old: nothing in it goes on, and nothing has since. */
export const isAtRest = (days: string) => `(NOT EXISTS (SELECT 1 FROM state.agent_turns t
      WHERE t.project_id = r.project_id AND t.root_turn_id = r.root_turn_id
        AND (t.ended_at IS NULL OR t.ended_at > now() - ${days} * interval '1 day'))
    AND NOT EXISTS (SELECT 1 FROM state.pmo_batches b
      WHERE b.project_id = r.project_id AND b.root_turn_id = r.root_turn_id AND b.status = 'running')
    AND NOT EXISTS (SELECT 1 FROM state.plan_runs p
      WHERE p.project_id = r.project_id AND p.root_turn_id = r.root_turn_id AND p.status = 'running'))`;
