// Deletes a project and everything in it. The last frame is kept, so that open windows learn about it.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

// Turns and profiles refer to boxes without a cascade, so they go first; the project's row takes the rest with it.
const STEPS = [
  ["project_delete_turns", "DELETE FROM state.agent_turns WHERE project_id = $1"],
  ["project_delete_agents", "DELETE FROM resource.project_agents WHERE project_id = $1"],
  ["project_delete_profiles", "DELETE FROM resource.profiles WHERE project_id = $1"],
  ["project_delete_journal", "DELETE FROM state.journal_packs WHERE project_id = $1"],
  ["project_delete_workers", "DELETE FROM state.workers WHERE project_id = $1"],
  ["project_delete_keys", "DELETE FROM state.idempotency_keys WHERE project_id = $1"],
] as const;

// One that was removed is deleted only by who asks for such, and not before its time: locked, it is looked at once more, as
// somebody may have taken it back.
const LOCK = `
  SELECT title, rev FROM projects WHERE project_id = $1
    AND CASE WHEN $2::float8 IS NULL THEN removed_at IS NULL ELSE removed_at <= now() - $2 * interval '1 ms' END
  FOR UPDATE`;

export async function deleteProject(
  kernel: Kernel,
  project_id: string,
  options: { removedForMs?: number } = {},
): Promise<void> {
  await withUnit(
    kernel,
    async (unit) => {
      const [row] = await unit.query<{ title: string; rev: number }>("project_lock", LOCK, [
        project_id,
        options.removedForMs ?? null,
      ]);
      if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
      for (const [name, text] of STEPS) await unit.query(name, text, [project_id]);
      await unit.query("project_delete", "DELETE FROM projects WHERE project_id = $1", [project_id]);
      unit.frame(project_id, {
        kind: "project",
        id: project_id,
        rev: row.rev + 1,
        title: row.title,
        status: "archived",
        is_deleted: true,
      });
    },
    { statementMs: kernel.tunables.longStatementMs },
  );
}
