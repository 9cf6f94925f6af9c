-- What a person put into a project can be found and removed (docs/data.md).
CREATE INDEX cards_by_person ON cards (tenant_id, (metadata ->> 'author_id'), created_at, card_id)
  WHERE starts_with(metadata ->> 'author_id', 'human_');
CREATE INDEX human_requests_by_person ON state.human_requests (project_id, decided_by, created_at, request_id)
  WHERE decided_by IS NOT NULL;
CREATE INDEX context_packs_by_person ON resource.context_packs (project_id, created_by, created_at, sha256);
CREATE INDEX artifact_names_by_person ON resource.artifact_names (project_id, created_by, created_at);
CREATE INDEX env_data_by_person ON state.env_data (project_id, stored_by, created_at);
CREATE INDEX plan_run_edits_by_person ON state.plan_run_edits (project_id, by, created_at);
CREATE INDEX deletions_by_person ON state.deletions (project_id, deleted_by);

ALTER TABLE state.deletions DROP CONSTRAINT deletions_kind_check, DROP CONSTRAINT deletions_phase_check;
ALTER TABLE state.deletions
  ADD CONSTRAINT deletions_kind_check CHECK (kind IN ('run', 'card', 'person')),
  ADD CONSTRAINT deletions_phase_check CHECK (phase IN ('close', 'settle', 'purge', 'erase', 'settle_cards', 'drop', 'requests', 'cards',
    'rows', 'done'));

-- As before, and the author of an erased card may become a pseudonym of a person.
CREATE OR REPLACE FUNCTION cards_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL AND NEW.content = 'null'::jsonb AND NEW.tool_calls IS NULL
    AND (OLD.metadata @> NEW.metadata OR (NEW.metadata ->> 'author_id' ~ '^human_person-[0-9a-f]{8}$'
      AND starts_with(OLD.metadata ->> 'author_id', 'human_') AND OLD.metadata @> (NEW.metadata - 'author_id')))
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

-- Of a version, only the name of who saved it may change, to a pseudonym.
CREATE OR REPLACE FUNCTION resource.plan_versions_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM resource.plans p WHERE p.project_id = OLD.project_id AND p.plan_id = OLD.plan_id) THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.created_by ~ '^person-[0-9a-f]{8}$'
    AND (to_jsonb(NEW) - 'created_by') IS NOT DISTINCT FROM (to_jsonb(OLD) - 'created_by') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'versions of plans never change: publish a new version instead of changing version % of %', OLD.version, OLD.plan_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'plan_versions_never_change';
END $$;

CREATE OR REPLACE FUNCTION resource.recipe_versions_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.project_id = OLD.project_id) THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.created_by ~ '^person-[0-9a-f]{8}$'
    AND (to_jsonb(NEW) - 'created_by') IS NOT DISTINCT FROM (to_jsonb(OLD) - 'created_by') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'versions of recipes never change: save a new version instead of changing version % of %', OLD.version, OLD.name
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'recipe_versions_never_change';
END $$;
