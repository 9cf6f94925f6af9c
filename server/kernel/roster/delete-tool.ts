// Deletes a tool of a project.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

export async function deleteTool(kernel: Kernel, input: { project_id: string; tool_name: string }): Promise<void> {
  const rows = await withUnit(kernel, (unit) =>
    unit.query(
      "tool_delete",
      "DELETE FROM resource.tools WHERE project_id = $1 AND tool_name = $2 RETURNING 1 AS gone",
      [input.project_id, input.tool_name],
    ),
  );
  if (rows.length === 0)
    throw new KernelError("not_found", `tool ${input.tool_name} not found in project ${input.project_id}`);
}
