// The folders that the operator has opened for a project, by name: their paths stay on the server.
import type { Kernel } from "../kernel";

export const listFolders = ({ workspaceFolders = {} }: Kernel, project_id: string): string[] =>
  Object.entries(workspaceFolders)
    .flatMap(([name, { projects }]) => ((projects?.includes(project_id) ?? true) ? name : []))
    .sort();
