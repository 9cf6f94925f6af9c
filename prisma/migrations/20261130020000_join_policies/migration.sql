-- When a join stops waiting, other than for the end of all its tasks. `arrivals`: tasks without attempts left, by index, in the order in
-- which they were seen under the lock of the row. `gate_at`: when the policy's own time is over. `late`: tasks that had not arrived
-- when the gate closed, and went on.
ALTER TABLE state.pmo_batches
  ADD COLUMN policy jsonb,
  ADD COLUMN gate_at timestamptz,
  ADD COLUMN arrivals int[] NOT NULL DEFAULT '{}',
  ADD COLUMN late int[] NOT NULL DEFAULT '{}',
  ADD COLUMN closed_by text CHECK (closed_by IN ('satisfied', 'quorum_unreachable', 'join_timeout', 'partial_timeout'));
ALTER TABLE state.pmo_batches ADD CONSTRAINT pmo_batches_policy CHECK (policy IS NOT NULL OR (gate_at IS NULL AND closed_by IS NULL AND arrivals = '{}' AND late = '{}')) NOT VALID;
ALTER TABLE state.pmo_batches VALIDATE CONSTRAINT pmo_batches_policy;
