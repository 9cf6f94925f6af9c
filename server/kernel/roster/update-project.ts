// Renames or archives a project.
import { KernelError } from "@/server/contract/errors";
import type { Project, ProjectPatch } from "@/server/contract/project";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const UPDATE = `
  UPDATE projects SET title = coalesce($2, title), status = coalesce($3, status), rev = rev + 1, updated_at = now()
  WHERE project_id = $1 AND removed_at IS NULL
  RETURNING project_id, title, status, owner_id, is_demo, run_count, rev, created_at, updated_at`;

type Row = Omit<Project, "owner_id"> & { owner_id: string | null; rev: number };

export async function updateProject(kernel: Kernel, input: { project_id: string } & ProjectPatch): Promise<Project> {
  refuseBadText(input);
  return withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Row>("project_update", UPDATE, [
      input.project_id,
      input.title ?? null,
      input.status ?? null,
    ]);
    if (!row) throw new KernelError("not_found", `project ${input.project_id} not found`);
    const { rev, owner_id, ...project } = row;
    unit.frame(row.project_id, {
      kind: "project",
      id: row.project_id,
      rev,
      title: row.title,
      status: row.status,
      is_deleted: false,
    });
    return { ...project, owner_id: owner_id ?? undefined };
  });
}
