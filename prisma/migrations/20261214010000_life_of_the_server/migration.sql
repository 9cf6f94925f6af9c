-- After a crash Postgres gives transaction ids again that had reached no disk. A reader that had caught up stood above them, and never saw
-- what was written under them. Statistics begin anew with the recovery from a crash, so their age tells one life of the server from the
-- next (server/installation.ts). Null until a process of this version has looked.
ALTER TABLE state.installation ADD COLUMN life timestamptz;
