// Every public verb checks this first: a missing project gives the same answer whatever else was asked.

import { KernelError } from "@/server/contract/errors";
import type { Project } from "@/server/contract/project";
import type { Kernel } from "../kernel";

/** not_found names the project. */
export async function readProject(kernel: Kernel, project_id: string): Promise<Project> {
  const row = await kernel.db.prisma.projects.findUnique({ where: { project_id, removed_at: null } });
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
  return projectOf(row);
}

type Row = NonNullable<Awaited<ReturnType<Kernel["db"]["prisma"]["projects"]["findUnique"]>>>;

const projectOf = (row: Row): Project => ({
  project_id: row.project_id,
  title: row.title,
  status: row.status as Project["status"],
  owner_id: row.owner_id ?? undefined,
  is_demo: row.is_demo,
  run_count: row.run_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
