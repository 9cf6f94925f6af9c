// Whether a project was here and was removed: its last frame outlives it.
import { type Reader, read } from "../reader";

const WAS_DELETED = `
  SELECT EXISTS (
    SELECT 1 FROM state.journal_packs
    WHERE project_id = $1 AND kind = 'project' AND entity_id = $1 AND (frames -> 0 ->> 'is_deleted')::boolean
  ) AS was_deleted`;

export async function wasDeleted(reader: Reader, project_id: string): Promise<boolean> {
  const [row] = await read<{ was_deleted: boolean }>(reader, "project_was_deleted", WAS_DELETED, [project_id]);
  return row?.was_deleted ?? false;
}
