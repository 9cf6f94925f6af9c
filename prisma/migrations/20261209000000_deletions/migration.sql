-- What is deleted for good (docs/data.md). A row is the work that is left and, later, the record of who deleted what and why.
CREATE TABLE state.deletions (
  project_id  text NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
  deletion_id text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('run', 'card')),
  subject_id  text NOT NULL,
  -- Of a run.
  number      integer,
  deleted_by  text NOT NULL,
  reason      text NOT NULL DEFAULT '' CHECK (char_length(reason) <= 500),
  phase       text NOT NULL CHECK (phase IN ('close', 'settle', 'purge', 'erase', 'settle_cards', 'drop', 'requests', 'done')),
  -- The last turn that was looked at.
  place       jsonb,
  -- Nothing goes before every transaction that began earlier has ended: it may have read what goes.
  settled_xid xid8,
  counts      jsonb NOT NULL DEFAULT '{}',
  begun_at    timestamptz NOT NULL DEFAULT now(),
  ended_at    timestamptz,
  PRIMARY KEY (project_id, deletion_id),
  CHECK ((phase = 'done') = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX deletions_one_open ON state.deletions (project_id, kind, subject_id) WHERE ended_at IS NULL;
CREATE INDEX deletions_open ON state.deletions (begun_at) WHERE ended_at IS NULL;
CREATE INDEX deletions_by_subject ON state.deletions (project_id, kind, subject_id, begun_at DESC);
CREATE INDEX deletions_newest ON state.deletions (project_id, begun_at DESC, deletion_id DESC);

-- Cards of a run that is deleted, until it is known whether another box holds them.
CREATE TABLE state.deletion_cards (
  project_id  text NOT NULL,
  deletion_id text NOT NULL,
  card_id     text NOT NULL,
  is_erased   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, deletion_id, card_id),
  FOREIGN KEY (project_id, deletion_id) REFERENCES state.deletions (project_id, deletion_id) ON DELETE CASCADE
);

-- A box that goes with a run: nobody may hand it over any more.
ALTER TABLE card_boxes ADD COLUMN deletion_id text;
CREATE INDEX card_boxes_going ON card_boxes (tenant_id, deletion_id) WHERE deletion_id IS NOT NULL;
CREATE INDEX env_calls_by_run ON state.env_calls (project_id, root_turn_id);

-- Days after which ended runs are deleted; null = never.
ALTER TABLE projects ADD COLUMN keep_runs_days integer CHECK (keep_runs_days BETWEEN 1 AND 3650);
CREATE INDEX projects_keeping ON projects (project_id) WHERE keep_runs_days IS NOT NULL;
CREATE INDEX runs_by_age ON state.runs (project_id, created_at, root_turn_id);

-- A card may lose its content for good, and nothing else of it changes: its id, hash, weight and times stay, and of what it says of
-- itself only a part of what was there.
CREATE OR REPLACE FUNCTION cards_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL AND NEW.content = 'null'::jsonb AND NEW.tool_calls IS NULL AND OLD.metadata @> NEW.metadata
    AND (to_jsonb(NEW) - '{deleted_at,expires_at,content,tool_calls,metadata}'::text[])
      IS NOT DISTINCT FROM (to_jsonb(OLD) - '{deleted_at,expires_at,content,tool_calls,metadata}'::text[]) THEN
    RETURN NEW;
  END IF;
  IF (to_jsonb(NEW) - 'deleted_at' - 'expires_at') IS DISTINCT FROM (to_jsonb(OLD) - 'deleted_at' - 'expires_at') THEN
    RAISE EXCEPTION 'cards never change: only deleted_at and expires_at of card % may be set; write a new card instead', OLD.card_id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'cards_never_change';
  END IF;
  RETURN NEW;
END $$;
