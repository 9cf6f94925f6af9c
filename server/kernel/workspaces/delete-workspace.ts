// Takes a workspace away with its index, and with the bytes of an upload that nothing else refers to. A folder stays as it is.
import { dropUnused } from "../artifacts/drop-unused";
import type { Unit } from "../unit";
import { noWorkspace, type WorkspaceInput } from "./read-workspaces";

const STORED = `
  SELECT DISTINCT sha256 FROM resource.workspace_files WHERE project_id = $1 AND workspace = $2 AND is_stored`;
const DELETE = "DELETE FROM resource.workspaces WHERE project_id = $1 AND name = $2 RETURNING name";

export async function deleteWorkspace(unit: Unit, input: WorkspaceInput): Promise<void> {
  const { project_id, name } = input;
  const stored = await unit.query<{ sha256: string }>("workspace_stored", STORED, [project_id, name]);
  if ((await unit.query("workspace_delete", DELETE, [project_id, name])).length === 0) throw noWorkspace(input);
  await dropUnused(unit, { project_id, sha256s: stored.map(({ sha256 }) => sha256) });
}
