-- How often a task is tried by itself: a branch that failed is given another turn while it has attempts left. A constant
-- default writes no row.
ALTER TABLE state.pmo_batch_tasks ADD COLUMN attempts_max integer NOT NULL DEFAULT 1 CHECK (attempts_max BETWEEN 1 AND 5);
