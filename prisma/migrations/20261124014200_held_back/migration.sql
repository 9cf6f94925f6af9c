-- Branches that max_parallel holds back count in their project's queue: the batches that have any are found by this.
CREATE INDEX pmo_batches_holding ON state.pmo_batches (project_id) WHERE status = 'running' AND max_parallel < task_count;
