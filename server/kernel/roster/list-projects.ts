// The projects page: each with what runs in it now and when something last happened.
import { COUNTED_MAX } from "@/server/contract/bounds";
import type { Project } from "@/server/contract/project";
import type { Kernel } from "../kernel";
import { liveTurnsSql } from "../live-sql";
import { read } from "../reader";

export type ProjectSummary = Project & { turn_count: number; running_count: number; last_activity_at: string };

/** Turns that tell when something last happened. */
const NEWEST = 200;

// Turns are counted as far as a page says it; those that run are in the queue or wait for a call.
const LIST = `
  SELECT p.project_id, p.title, p.status, p.owner_id, p.is_demo, p.run_count, p.created_at, p.updated_at,
    t.turns AS turn_count, h.running AS running_count, greatest(p.updated_at, n.latest) AS last_activity_at
  FROM projects p
  CROSS JOIN LATERAL (SELECT count(*)::int AS turns FROM (
    SELECT FROM state.agent_turns t WHERE t.project_id = p.project_id LIMIT ${COUNTED_MAX + 1}) c) t
  CROSS JOIN LATERAL (SELECT count(*)::int AS running FROM ${liveTurnsSql("p.project_id")} l) h
  CROSS JOIN LATERAL (SELECT max(coalesce(c.ended_at, c.started_at, c.created_at)) AS latest FROM (
    SELECT t.ended_at, t.started_at, t.created_at FROM state.agent_turns t WHERE t.project_id = p.project_id
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${NEWEST}) c) n
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
