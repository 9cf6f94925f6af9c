-- A worker over REST takes turns of the project it claims from; '*' = one that serves all of them.
ALTER TABLE state.workers ADD COLUMN project_id text NOT NULL DEFAULT '*';
ALTER TABLE state.workers DROP CONSTRAINT workers_pkey;
ALTER TABLE state.workers ADD PRIMARY KEY (project_id, worker_id);
