-- Which cards refer to a file: looked up when a card is deleted, and when a file is read.
CREATE INDEX cards_by_artifact ON cards USING gin ((content -> 'artifacts') jsonb_path_ops) WHERE content ? 'artifacts';
-- Cards with files and an end: when it has passed, their files go.
CREATE INDEX cards_with_artifacts_expiring ON cards (expires_at) WHERE content ? 'artifacts' AND expires_at IS NOT NULL;
