// Takes a project away so that it can be had back: hidden at once from every reader and writer, deleted by the watchdog when
// the time for an undo is over. The mark is in the database, so a restart in between changes nothing.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const MARK = `
  UPDATE projects SET removed_at = CASE WHEN $2 THEN now() END, rev = rev + 1, updated_at = now()
  WHERE project_id = $1 AND (removed_at IS NULL) = $2 AND deleting_at IS NULL
  RETURNING title, status, rev`;

type Row = { title: string; status: string; rev: number };

/** not_found when there is none, or when it is removed already. */
export const removeProject = (kernel: Kernel, project_id: string): Promise<void> =>
  mark(kernel, project_id, true, `project ${project_id} not found`);

/** not_found when it has been deleted meanwhile, or was never removed. */
export const undoRemoval = (kernel: Kernel, project_id: string): Promise<void> =>
  mark(
    kernel,
    project_id,
    false,
    `project ${project_id} can't be restored: it is not removed, or it is deleted already`,
  );

async function mark(kernel: Kernel, project_id: string, isRemoved: boolean, refusal: string): Promise<void> {
  const marked = withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Row>("project_mark_removed", MARK, [project_id, isRemoved]);
    if (!row) throw new KernelError("not_found", refusal);
    unit.frame(project_id, {
      kind: "project",
      id: project_id,
      rev: row.rev,
      title: row.title,
      status: row.status,
      is_deleted: isRemoved,
    });
  });
  // Also where it failed: it may have been done all the same.
  await marked.finally(() => kernel.projectsThere.forget(project_id));
}
