// Registers a workspace. A folder has to be opened by the operator of the server; a request never names a path.
import { KernelError } from "@/server/contract/errors";
import type { WorkspaceFolders } from "@/server/contract/workspace";
import type { Kernel } from "../kernel";
import type { Unit } from "../unit";
import type { WorkspaceInput } from "./read-workspaces";

// Again is no change: the kind of an upload changes when its content is there. An upload does not take the name of a folder, nor
// a folder that of an upload.
const SAVE = `
  INSERT INTO resource.workspaces AS w (project_id, name, kind) VALUES ($1, $2, $3)
  ON CONFLICT (project_id, name) DO UPDATE SET kind = w.kind
    WHERE w.kind = EXCLUDED.kind OR (w.kind <> 'folder' AND EXCLUDED.kind <> 'folder')
  RETURNING w.name`;

export async function saveWorkspace(
  unit: Unit,
  { project_id, name, kind }: WorkspaceInput & { kind: "folder" | "bundle" | "tar" },
): Promise<void> {
  if (kind === "folder") folderOf(unit.kernel, { project_id, name });
  const saved = await unit.query("workspace_save", SAVE, [project_id, name, kind]);
  if (saved.length > 0) return;
  throw new KernelError(
    "conflict",
    `name: the workspace ${name} is ${kind === "folder" ? "an upload" : "a folder of the server"}. Choose another name, or delete it first`,
  );
}

/** not_found, with the same words for a name that does not exist and one of other projects. */
export function folderOf(kernel: Kernel, { project_id, name }: WorkspaceInput): WorkspaceFolders[string] {
  const folders = kernel.workspaceFolders ?? {};
  const folder = Object.hasOwn(folders, name) ? folders[name] : undefined;
  if (folder && (folder.projects?.includes(project_id) ?? true)) return folder;
  throw new KernelError(
    "not_found",
    `name: the server has no folder ${name} for project ${project_id}. Add it to SWITCHYARD_WORKSPACES, or upload the files`,
  );
}
