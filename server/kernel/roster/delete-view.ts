// Deletes a saved view of a project.
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

export async function deleteView(kernel: Kernel, input: { project_id: string; name: string }): Promise<void> {
  refuseBadText(input.name, "name");
  const rows = await withUnit(kernel, (unit) =>
    unit.query(
      "view_delete",
      "DELETE FROM resource.saved_views WHERE project_id = $1 AND name = $2 RETURNING 1 AS gone",
      [input.project_id, input.name.trim()],
    ),
  );
  if (rows.length === 0)
    throw new KernelError("not_found", `view ${input.name} not found in project ${input.project_id}`);
}
