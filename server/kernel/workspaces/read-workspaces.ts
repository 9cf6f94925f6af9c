// Workspaces of a project: one, or all. There are few, so the list has no pages.
import { KernelError } from "@/server/contract/errors";
import type { Workspace } from "@/server/contract/workspace";
import { type Reader, read } from "../reader";
import { toWorkspace, WORKSPACE_COLUMNS, type WorkspaceRow } from "./workspace-row";

export type WorkspaceInput = { project_id: string; name: string };

const ONE = `SELECT ${WORKSPACE_COLUMNS} FROM resource.workspaces w WHERE w.project_id = $1 AND w.name = $2`;
const ALL = `SELECT ${WORKSPACE_COLUMNS} FROM resource.workspaces w WHERE w.project_id = $1 ORDER BY w.name`;

export async function readWorkspace(reader: Reader, input: WorkspaceInput): Promise<Workspace> {
  return toWorkspace(await readRow(reader, input));
}

export async function readRow(reader: Reader, input: WorkspaceInput): Promise<WorkspaceRow> {
  const [row] = await read<WorkspaceRow>(reader, "workspace_read", ONE, [input.project_id, input.name]);
  if (!row) throw noWorkspace(input);
  return row;
}

export async function listWorkspaces(reader: Reader, project_id: string): Promise<Workspace[]> {
  return (await read<WorkspaceRow>(reader, "workspaces_list", ALL, [project_id])).map(toWorkspace);
}

export const noWorkspace = ({ project_id, name }: WorkspaceInput): KernelError =>
  new KernelError(
    "not_found",
    `workspace: ${name} is not registered in project ${project_id}. GET /workspaces lists those that are`,
    { path: "workspace" },
  );
