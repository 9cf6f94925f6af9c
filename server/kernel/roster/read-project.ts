// Every public verb checks this first: a missing project gives the same answer whatever else was asked.

import { KernelError } from "@/server/contract/errors";
import type { Project } from "@/server/contract/project";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const COLUMNS = [
  "project_id",
  "title",
  "status",
  "owner_id",
  "is_demo",
  "run_count",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Project)[];

const READ = `SELECT ${columnsOf(COLUMNS, "p")} FROM projects p WHERE p.project_id = $1 AND p.removed_at IS NULL`;

type Row = Omit<Project, "owner_id"> & { owner_id: string | null };

/** not_found names the project. */
export async function readProject(kernel: Kernel, project_id: string): Promise<Project> {
  const [row] = await read<Row>(kernel, "project_read", READ, [project_id]);
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
  return { ...row, owner_id: row.owner_id ?? undefined };
}
