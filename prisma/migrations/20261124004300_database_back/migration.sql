-- When somebody last watched over leases, and when the database was last back after nobody could: workers that lived through
-- an outage have not been able to beat, and were all taken over at once when it ended.
ALTER TABLE state.installation ADD COLUMN watched_at timestamptz, ADD COLUMN back_at timestamptz;
