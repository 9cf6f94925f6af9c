// The external tools of a project by name.
import type { Tool } from "@/server/contract/tool";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { TOOL_COLUMNS, type ToolRow, toolOf } from "./find-tool";
import { readProject } from "./read-project";

const LIST = `SELECT ${columnsOf(TOOL_COLUMNS, "tools")} FROM resource.tools WHERE project_id = $1 ORDER BY tool_name`;

export async function listTools(kernel: Kernel, project_id: string): Promise<Tool[]> {
  const [, rows] = await Promise.all([
    readProject(kernel, project_id),
    read<ToolRow>(kernel, "tools_list", LIST, [project_id]),
  ]);
  return rows.map(toolOf);
}
