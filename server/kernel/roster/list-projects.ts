// The projects page: each with what runs in it now and when something last happened.
import type { Project } from "@/server/contract/project";
import type { Kernel } from "../kernel";
import { read } from "../reader";

export type ProjectSummary = Project & { turn_count: number; running_count: number; last_activity_at: string };

const LIST = `
  SELECT p.project_id, p.title, p.status, p.owner_id, p.is_demo, p.run_count, p.created_at, p.updated_at,
    coalesce(t.turns, 0) AS turn_count, coalesce(t.running, 0) AS running_count,
    greatest(p.updated_at, t.latest) AS last_activity_at
  FROM projects p
  LEFT JOIN LATERAL (
    SELECT count(*)::int AS turns, max(coalesce(ended_at, started_at, created_at)) AS latest,
      (count(*) FILTER (WHERE status IN ('dispatched', 'running', 'suspended')))::int AS running
    FROM state.agent_turns WHERE project_id = p.project_id
  ) t ON true
  WHERE p.removed_at IS NULL
  ORDER BY last_activity_at DESC, p.project_id
  LIMIT 500`;

export async function listProjects(kernel: Kernel): Promise<ProjectSummary[]> {
  const rows = await read<Omit<ProjectSummary, "owner_id"> & { owner_id: string | null }>(
    kernel,
    "project_list",
    LIST,
    [],
  );
  return rows.map((row) => ({ ...row, owner_id: row.owner_id ?? undefined }));
}
