// Deletes rows of other indexes than the one that is kept, with the bytes of an upload that nothing else refers to.
import { dropUnused } from "../artifacts/drop-unused";
import type { Unit } from "../unit";
import type { Generation } from "./snapshot";

const OTHERS = `
  WITH gone AS (
    DELETE FROM resource.workspace_files WHERE project_id = $1 AND workspace = $2 AND generation <> $3 RETURNING sha256, is_stored
  )
  SELECT DISTINCT sha256 FROM gone WHERE is_stored`;

export async function dropOtherRows(unit: Unit, { project_id, name, generation }: Generation): Promise<void> {
  const gone = await unit.query<{ sha256: string }>("workspace_others", OTHERS, [project_id, name, generation]);
  await dropUnused(unit, { project_id, sha256s: gone.map(({ sha256 }) => sha256) });
}
