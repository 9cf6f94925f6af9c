-- Aborts the transaction when a row is not as it was read. Its caller tries again, and locks the row first
-- (server/kernel/delegation/run-as-read.ts).
CREATE FUNCTION state.raise_changed(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% has changed since it was read', what USING ERRCODE = 'SY409', HINT = 'Read it again, under its lock.';
END $$;
