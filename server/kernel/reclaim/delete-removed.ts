// Removed projects go when nobody can ask for them back any more.
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { deleteProject } from "../roster/delete-project";
import { unlessGone } from "../roster/removed";

const DUE = `
  SELECT project_id FROM projects WHERE removed_at <= now() - $1 * interval '1 ms' ORDER BY removed_at LIMIT 20`;

export async function deleteRemoved(kernel: Kernel): Promise<number> {
  const { removedMs } = kernel.tunables;
  const due = await read<{ project_id: string }>(kernel, "projects_removed", DUE, [removedMs]);
  const failed: unknown[] = [];
  for (const { project_id } of due)
    await deleteProject(kernel, project_id, { removedForMs: removedMs })
      .catch(unlessGone)
      // Told when all have had their turn: the first to fail would keep the others for ever.
      .catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
  return due.length;
}
