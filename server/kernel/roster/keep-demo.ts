// The demo becomes an ordinary project: what was tried out there turned into work.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const KEEP = `
  UPDATE projects SET is_demo = false, rev = rev + 1, updated_at = now()
  WHERE project_id = $1 AND is_demo AND removed_at IS NULL RETURNING title, status, rev`;

export async function keepDemo(kernel: Kernel, project_id: string): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const [row] = await unit.query<{ title: string; status: string; rev: number }>("project_keep_demo", KEEP, [
      project_id,
    ]);
    if (!row) throw new KernelError("not_found", `project ${project_id} is not a demo`);
    unit.frame(project_id, { kind: "project", id: project_id, ...row, is_deleted: false });
  });
}
