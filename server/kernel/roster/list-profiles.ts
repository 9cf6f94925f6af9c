// The profiles of a project by name.
import type { Profile } from "@/server/contract/profile";
import type { Kernel } from "../kernel";
import { readProject } from "./read-project";

export type ProfileSummary = Profile & { agent_count: number };

export async function listProfiles(kernel: Kernel, project_id: string): Promise<ProfileSummary[]> {
  await readProject(kernel, project_id);
  const [rows, counts] = await Promise.all([
    kernel.db.prisma.profiles.findMany({ where: { project_id }, orderBy: { name: "asc" } }),
    kernel.db.prisma.project_agents.groupBy({ by: ["profile_name"], where: { project_id }, _count: true }),
  ]);
  const agents = new Map(counts.map((c) => [c.profile_name, c._count]));
  return rows.map((row) => ({
    ...row,
    description: row.description ?? undefined,
    delegation_context: row.delegation_context as Profile["delegation_context"],
    rev: Number(row.rev),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    agent_count: agents.get(row.name) ?? 0,
  }));
}
