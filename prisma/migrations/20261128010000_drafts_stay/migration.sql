-- Whoever deletes a plan deletes its versions, and not what other people have written of it: their drafts stay, as drafts of a plan
-- that is not published. No row changes, and an older version runs on with it.
ALTER TABLE resource.plan_drafts DROP CONSTRAINT plan_drafts_project_id_plan_id_fkey,
  ADD CONSTRAINT plan_drafts_project_id_plan_id_fkey FOREIGN KEY (project_id, plan_id)
    REFERENCES resource.plans (project_id, plan_id) ON DELETE SET NULL (plan_id);
