// Deletes files that nothing in the project refers to any more. Whoever writes a card or a name locks the file first, so a file
// that is locked here has no reference on its way that the second statement does not see.
import type { Unit } from "../unit";
import { isReferred } from "./is-referred";

const LOCK = `
  SELECT sha256 FROM resource.artifacts WHERE project_id = $1 AND sha256 = ANY ($2::text[]) ORDER BY sha256 FOR UPDATE`;
const DROP = `
  WITH gone AS (
    DELETE FROM resource.artifacts a WHERE a.project_id = $1 AND a.sha256 = ANY ($2::text[]) AND NOT ${isReferred("a")}
    RETURNING a.sha256, a.blob_id
  ), pieces AS (
    DELETE FROM resource.artifact_blobs b USING gone g WHERE b.project_id = $1 AND b.blob_id = g.blob_id
  )
  SELECT sha256 FROM gone`;

/** How many went. Two statements: one alone would look for references as they were before it got the lock. */
export async function dropUnused(
  unit: Unit,
  { project_id, sha256s }: { project_id: string; sha256s: readonly string[] },
): Promise<number> {
  if (sha256s.length === 0) return 0;
  const values = [project_id, [...sha256s]];
  await unit.query("artifacts_lock", LOCK, values);
  return (await unit.query("artifacts_drop", DROP, values)).length;
}
