// Deletes a profile. Agents that use it keep their box; no new agent can be created from it.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const DELETE = `
  DELETE FROM resource.profiles WHERE project_id = $1 AND lower(name) = lower(trim($2))
  RETURNING name, profile_box_id, worker_target, rev`;

export async function deleteProfile(kernel: Kernel, input: { project_id: string; name: string }): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const [row] = await unit.query<{ name: string; profile_box_id: string; worker_target: string; rev: number }>(
      "profile_delete",
      DELETE,
      [input.project_id, input.name],
    );
    if (!row) throw new KernelError("not_found", `profile ${input.name} not found in project ${input.project_id}`);
    unit.frame(input.project_id, { kind: "profile", id: row.name, ...row, rev: row.rev + 1, is_deleted: true });
  });
}
