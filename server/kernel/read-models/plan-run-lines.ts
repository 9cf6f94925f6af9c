// The newest runs of published plans, with how far each has come.
import type { PlanRunLine } from "@/server/contract/plan/plan-sheet";
import { type Reader, read } from "../reader";

const RUNS = `
  SELECT p.plan_id, r.plan_run_id, r.root_turn_id, r.version, r.status, r.created_at, r.ended_at, n.node_count, n.delivered_count, n.held_count
  FROM unnest($2::text[]) AS p(plan_id)
  CROSS JOIN LATERAL (
    SELECT plan_run_id, root_turn_id, version, status, created_at, ended_at FROM state.plan_runs
    WHERE project_id = $1 AND plan_id = p.plan_id ORDER BY created_at DESC LIMIT $3
  ) r
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS node_count, count(*) FILTER (WHERE status IN ('success', 'partial'))::int AS delivered_count,
      count(*) FILTER (WHERE status = 'held')::int AS held_count
    FROM state.plan_run_nodes WHERE project_id = $1 AND plan_run_id = r.plan_run_id
  ) n
  ORDER BY r.created_at DESC`;

type Row = Omit<PlanRunLine, "ended_at"> & { plan_id: string; ended_at: string | null };

/** By plan_id; newest first, at most `limit` of each. */
export async function planRunLines(
  reader: Reader,
  input: { project_id: string; plan_ids: string[]; limit: number },
): Promise<Map<string, PlanRunLine[]>> {
  const rows = await read<Row>(reader, "plan_run_lines", RUNS, [input.project_id, input.plan_ids, input.limit]);
  const lines = new Map<string, PlanRunLine[]>();
  for (const { plan_id, created_at, ended_at, ...row } of rows) {
    const line = {
      ...row,
      created_at: new Date(created_at).toISOString(),
      ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
    };
    lines.set(plan_id, [...(lines.get(plan_id) ?? []), line]);
  }
  return lines;
}
