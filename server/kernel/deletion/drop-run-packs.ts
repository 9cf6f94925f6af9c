// The context packs that were built of a run that is deleted, and the files that nothing else refers to: a pack quotes what it was built of.
import { dropUnused } from "../artifacts/drop-unused";
import type { Unit } from "../unit";
import type { PurgeKey } from "./purge-parts";

const PACKS_MAX = 20;

// A card that can still be read may have been handed the pack: then it stays, as cards that another box holds do.
const PACKS = `
  WITH due AS MATERIALIZED (
    SELECT p.sha256, p.sidecar_sha256, p.input_sha256 FROM resource.context_packs p
    WHERE p.project_id = $1 AND p.root_turn_id = $2 AND NOT EXISTS (
      SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.content ? 'artifacts'
        AND (c.content -> 'artifacts') @> jsonb_build_array(jsonb_build_object('sha256', p.sha256)) AND c.deleted_at IS NULL)
    ORDER BY p.sha256 LIMIT ${PACKS_MAX}
  ), sources AS (
    DELETE FROM resource.context_pack_sources s USING due d WHERE s.project_id = $1 AND s.pack_sha256 = d.sha256 RETURNING s.sha256
  ), packs AS (
    DELETE FROM resource.context_packs p USING due d WHERE p.project_id = $1 AND p.sha256 = d.sha256 RETURNING p.sha256
  )
  SELECT 'pack' AS kind, p.sha256 FROM packs p
  UNION ALL SELECT 'file', d.sidecar_sha256 FROM due d UNION ALL SELECT 'file', d.input_sha256 FROM due d
  UNION ALL SELECT 'file', s.sha256 FROM sources s`;

export async function dropRunPacks(
  unit: Unit,
  { project_id, root_turn_id }: PurgeKey,
): Promise<{ context_packs: number; artifacts: number }> {
  const rows = await unit.query<{ kind: string; sha256: string }>("deletion_packs", PACKS, [project_id, root_turn_id]);
  const sha256s = [...new Set(rows.map((row) => row.sha256))];
  const artifacts = await dropUnused(unit, { project_id, sha256s });
  return { context_packs: rows.filter((row) => row.kind === "pack").length, artifacts };
}
