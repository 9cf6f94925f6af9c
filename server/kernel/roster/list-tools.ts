// The external tools of a project by name.
import type { Tool } from "@/server/contract/tool";
import type { Kernel } from "../kernel";
import { readProject } from "./read-project";

export async function listTools(kernel: Kernel, project_id: string): Promise<Tool[]> {
  await readProject(kernel, project_id);
  const rows = await kernel.db.prisma.tools.findMany({ where: { project_id }, orderBy: { tool_name: "asc" } });
  return rows.map((row) => ({
    ...row,
    target_subject: row.target_subject ?? undefined,
    parameters: row.parameters as Tool["parameters"],
    options: row.options as Tool["options"],
    after_execution: row.after_execution as Tool["after_execution"],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
}
