-- The forks of a run are listed where the run is watched.
CREATE INDEX plan_runs_forks ON state.plan_runs (project_id, forked_from) WHERE forked_from IS NOT NULL;
