// What a turn cost with everything that it started, in one statement.
import type { Subtree } from "@/server/contract/turn-detail";
import type { Kernel } from "../kernel";
import { read } from "../reader";

/** Ids of a turn and of all below it, as `down(id)`. UNION ends a cycle in restored data. */
export const DOWN = `
  down(id) AS (
    SELECT $2::text
    UNION
    SELECT k.agent_turn_id FROM down JOIN state.agent_turns k ON k.project_id = $1 AND k.parent_turn_id = down.id
  )`;

// jsonb gives numbers where the driver would give numerics as text.
const SUBTREE = `
  WITH RECURSIVE ${DOWN}
  SELECT to_jsonb(s) AS subtree FROM (
    SELECT count(*) AS turns, count(*) FILTER (WHERE t.ended_at IS NULL) AS live, coalesce(sum(t.tokens_in), 0) AS tokens_in,
      coalesce(sum(t.tokens_out), 0) AS tokens_out, sum(t.cost) AS cost,
      count(*) FILTER (WHERE t.cost IS NULL AND t.tokens_in + t.tokens_out > 0) AS unpriced,
      (SELECT coalesce(sum(s.request_tokens), 0) FROM down JOIN state.agent_steps s
        ON s.project_id = $1 AND s.agent_turn_id = down.id) AS request_tokens
    FROM down JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = down.id
  ) s`;

type Row = { subtree: Omit<Subtree, "cost"> & { cost: number | null } };

/** Zeros for a turn that is not in the project. */
export async function readSubtree(
  kernel: Kernel,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<Subtree> {
  const [row] = await read<Row>(kernel, "turn_subtree", SUBTREE, [project_id, agent_turn_id]);
  if (!row) throw new Error("an aggregate answered no row");
  const { cost, ...sums } = row.subtree;
  return { ...sums, ...(cost !== null && { cost }) };
}
