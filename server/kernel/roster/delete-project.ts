// Removes a project with all that is in it. The last frame outlives it, so that open windows learn of it.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

// Turns and profiles refer to boxes without a cascade, so they go first; the rest hangs on the project's row.
const STEPS = [
  ["project_delete_turns", "DELETE FROM state.agent_turns WHERE project_id = $1"],
  ["project_delete_agents", "DELETE FROM resource.project_agents WHERE project_id = $1"],
  ["project_delete_profiles", "DELETE FROM resource.profiles WHERE project_id = $1"],
  ["project_delete_journal", "DELETE FROM state.journal_packs WHERE project_id = $1"],
  ["project_delete_workers", "DELETE FROM state.workers WHERE project_id = $1"],
  ["project_delete_keys", "DELETE FROM state.idempotency_keys WHERE project_id = $1"],
] as const;

export async function deleteProject(kernel: Kernel, project_id: string): Promise<void> {
  await withUnit(
    kernel,
    async (unit) => {
      const [row] = await unit.query<{ title: string; rev: number }>(
        "project_lock",
        "SELECT title, rev FROM projects WHERE project_id = $1 FOR UPDATE",
        [project_id],
      );
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
