// The saved views of a project.
import type { SavedView } from "@/server/contract/saved-view";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "./read-project";
import { VIEW_COLUMNS, type ViewRow, viewOf } from "./view-row";

const LIST = `
  SELECT ${VIEW_COLUMNS} FROM resource.saved_views v
  WHERE v.project_id = $1 ORDER BY lower(name), name`;

/** By name. not_found for an unknown project. */
export async function listViews(kernel: Kernel, project_id: string): Promise<SavedView[]> {
  await readProject(kernel, project_id);
  return (await read<ViewRow>(kernel, "view_list", LIST, [project_id])).map(viewOf);
}
