// The number of a run that begins. The project's row is locked by it, first of all: two launches of one project come one after the other.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";

const NUMBER =
  "UPDATE projects SET run_count = run_count + 1, updated_at = now() WHERE project_id = $1 RETURNING run_count";

/** Counted in the same unit: a launch that is refused gives it back. */
export async function takeRunNumber(unit: Unit, project_id: string): Promise<number> {
  const [project] = await unit.query<{ run_count: number }>("run_number", NUMBER, [project_id]);
  if (!project) throw new KernelError("not_found", `project ${project_id} not found`);
  return project.run_count;
}
