-- A statement that was prepared for what a row said when it was read refuses to go on if the row has changed: the transaction is given
-- up, and its caller begins again with the row locked (server/kernel/delegation/run-as-read.ts).
CREATE FUNCTION state.has_changed(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% has changed since it was read', what USING ERRCODE = 'SY409', HINT = 'Read it again, under its lock.';
END $$;
