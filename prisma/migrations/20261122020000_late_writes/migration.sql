-- What a lost worker tried to write is shown with the turn it wrote for, and the journal is long.
CREATE INDEX journal_late_writes ON state.journal (project_id, (frame ->> 'agent_turn_id')) WHERE kind = 'rejected_late';
