-- A server indexes a few workspaces at a time; a further folder waits, and says so.
ALTER TABLE resource.workspaces ADD COLUMN is_waiting boolean NOT NULL DEFAULT false;
