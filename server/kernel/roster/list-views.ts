// The saved views of a project.
import type { SavedView } from "@/server/contract/saved-view";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "./read-project";

const LIST = `
  SELECT v.name, v.page, v.query, v.saved_by, v.created_at, v.updated_at FROM resource.saved_views v
  WHERE v.project_id = $1 ORDER BY lower(v.name), v.name`;

/** By name. not_found for an unknown project. */
export async function listViews(kernel: Kernel, project_id: string): Promise<SavedView[]> {
  await readProject(kernel, project_id);
  return read<SavedView>(kernel, "view_list", LIST, [project_id]);
}
