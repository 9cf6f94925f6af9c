// A removed project: still in the database, and not there for anybody, until it is deleted or the removal is undone.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Reader, read } from "../reader";

/** In a statement whose $1 is the project: it has not been removed. One look-up a statement, not one a row. */
export const IS_THERE =
  "NOT EXISTS (SELECT 1 FROM projects gone WHERE gone.project_id = $1 AND gone.removed_at IS NOT NULL)";

const REMOVED = "SELECT 1 FROM projects WHERE project_id = $1 AND removed_at IS NOT NULL";

export async function isRemoved(reader: Reader, project_id: string): Promise<boolean> {
  return (await read(reader, "project_is_removed", REMOVED, [project_id])).length > 0;
}

/**
 * Every door asks this of the project that a request names: not_found, as if it had been deleted already. At once in the
 * process that removed it, within a second in others: a look-up of its own for every request cost more than many of them.
 */
export async function refuseRemoved(kernel: Kernel, project_id: string): Promise<void> {
  const isThere = await kernel.projectsThere.isTrue(project_id, async () => !(await isRemoved(kernel, project_id)));
  if (!isThere) throw new KernelError("not_found", `project ${project_id} not found`);
}

/** Of a deletion: another process was first, or somebody has taken the project back in this very moment. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof KernelError && error.code === "not_found")) throw error;
}
