// Whether something still refers to a file: without it, the file is gone for everybody.

/** Of a row `a` of resource.artifacts: a card that can still be read, a name, a pack that is made of it, or an uploaded workspace. */
export const isReferred = (a: string): string => `(EXISTS (
    SELECT 1 FROM cards c WHERE c.tenant_id = ${a}.project_id AND c.content ? 'artifacts'
      AND (c.content -> 'artifacts') @> jsonb_build_array(jsonb_build_object('sha256', ${a}.sha256))
      AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()))
  OR EXISTS (SELECT 1 FROM resource.artifact_names n WHERE n.project_id = ${a}.project_id AND n.sha256 = ${a}.sha256)
  OR EXISTS (SELECT 1 FROM resource.context_pack_sources s WHERE s.project_id = ${a}.project_id AND s.sha256 = ${a}.sha256)
  OR EXISTS (SELECT 1 FROM resource.workspace_files f WHERE f.project_id = ${a}.project_id AND f.sha256 = ${a}.sha256 AND f.is_stored))`;
