// The newest runs of published plans, with how far each has come.
import { type CountedNode, countNodes, type NodeCounts } from "@/server/contract/plan/count-nodes";
import type { PlanRunLine } from "@/server/contract/plan/plan-sheet";
import { type Reader, read } from "../reader";

// A node that an edit took away has its row, and is none of the plan's any more. What was never edited is not looked through.
const RUNS = `
  SELECT p.plan_id, r.plan_run_id, r.root_turn_id, r.version, r.status, r.created_at, r.ended_at, coalesce(n.nodes, '[]') AS nodes
  FROM unnest($2::text[]) AS p(plan_id)
  CROSS JOIN LATERAL (
    SELECT plan_run_id, root_turn_id, version, status, created_at, ended_at, CASE WHEN body_rev > 1 THEN body END AS edited FROM state.plan_runs
    WHERE project_id = $1 AND plan_id = p.plan_id ORDER BY created_at DESC LIMIT $3
  ) r
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('status', k.status, 'batch_status', b.status)) AS nodes
    FROM state.plan_run_nodes k
    LEFT JOIN LATERAL (SELECT b.status FROM state.pmo_batches b
      WHERE b.project_id = $1 AND b.batch_id = k.replays ->> 'batch_id' OFFSET 0) b ON k.status = 'replayed'
    WHERE k.project_id = $1 AND k.plan_run_id = r.plan_run_id AND (r.edited IS NULL
      OR k.node_id IN (SELECT e.node ->> 'id' FROM jsonb_array_elements(r.edited -> 'nodes') AS e(node)))
  ) n
  ORDER BY r.created_at DESC`;

type Row = Omit<PlanRunLine, "ended_at" | keyof NodeCounts> & {
  plan_id: string;
  ended_at: string | null;
  nodes: CountedNode[];
};

/** By plan_id; newest first, at most `limit` of each. */
export async function planRunLines(
  reader: Reader,
  input: { project_id: string; plan_ids: string[]; limit: number },
): Promise<Map<string, PlanRunLine[]>> {
  const rows = await read<Row>(reader, "plan_run_lines", RUNS, [input.project_id, input.plan_ids, input.limit]);
  const lines = new Map<string, PlanRunLine[]>();
  for (const { plan_id, created_at, ended_at, nodes, ...row } of rows) {
    const line = {
      ...row,
      ...countNodes(nodes),
      created_at: new Date(created_at).toISOString(),
      ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
    };
    lines.set(plan_id, [...(lines.get(plan_id) ?? []), line]);
  }
  return lines;
}
