// Deletes a project and everything in it: hidden for everybody at once, emptied part by part. A process that dies in between
// leaves the rest to the watchdog.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { withUnit } from "../unit";
import { purgeProject } from "./purge-project";

// One that was removed is deleted only by who asks for such, and not before its time, as somebody may take it back.
const BEGIN = `
  UPDATE projects SET removed_at = coalesce(removed_at, now()), deleting_at = coalesce(deleting_at, now()), rev = rev + 1, updated_at = now()
  WHERE project_id = $1
    AND CASE WHEN $2::float8 IS NULL THEN removed_at IS NULL ELSE removed_at <= now() - $2 * interval '1 ms' END
  RETURNING title, status, rev`;
const HERE = "SELECT 1 AS is_here FROM projects WHERE project_id = $1 AND deleting_at IS NOT NULL";

/** not_found for a project that is not there, or was removed and may still be taken back. */
export async function deleteProject(
  kernel: Kernel,
  project_id: string,
  options: { removedForMs?: number } = {},
): Promise<void> {
  await beginDeletion(kernel, project_id, options);
  // What follows is no part of the request: repeated, it finds nothing to do.
  const own = { ...kernel, keyed: undefined };
  while (!(await purgeProject(own, { project_id, untilMs: Number.POSITIVE_INFINITY }))) {
    // A watchdog is at it too, or somebody who began before still writes into it.
    if ((await read(own, "project_is_here", HERE, [project_id])).length === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** From here on there is no undo. */
export async function beginDeletion(
  kernel: Kernel,
  project_id: string,
  options: { removedForMs?: number },
): Promise<void> {
  const begun = withUnit(kernel, async (unit) => {
    const values = [project_id, options.removedForMs ?? null];
    const [row] = await unit.query<{ title: string; status: string; rev: number }>(
      "project_begin_delete",
      BEGIN,
      values,
    );
    if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
    unit.frame(project_id, { kind: "project", id: project_id, ...row, is_deleted: true });
  });
  await begun.finally(() => kernel.projectsThere.forget(project_id));
}
