-- A large project is deleted in many short transactions. From the first one on it cannot be had back.
ALTER TABLE projects ADD COLUMN deleting_at timestamptz;
