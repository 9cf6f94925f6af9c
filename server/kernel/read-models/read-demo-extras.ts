// What of a demo is not the demo's: told before it is removed. Runs that people launched or imported, the agents that worked only
// in those, what these agents wrote, and profiles and plans that were added or changed.
import { COUNTED_MAX } from "@/server/contract/bounds";
import { KernelError } from "@/server/contract/errors";
import type { DemoExtras } from "@/server/contract/project";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { HUMAN_PROFILE } from "../turns/turn-row";

/** Counted as far as the page says it. */
const MAX = COUNTED_MAX + 1;

// Planned each time: the plan for any project took 0.9 s in a large one, and its own 7 ms. Agents are counted in no order: with one,
// a plan that reads and sorts all of them was chosen, and took 1.1 s. Cards of those agents are found by their turns: no index has authors. The demo's own profiles and plans are saved just before its first run.
const EXTRAS = `
  WITH demo AS MATERIALIZED (
    SELECT root_turn_id, created_at FROM state.runs WHERE project_id = $1 AND source = 'demo'
  ), extra AS MATERIALIZED (
    SELECT a.agent_id FROM resource.project_agents a WHERE a.project_id = $1 AND NOT a.is_human AND (
      SELECT true FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = a.agent_id
        AND t.root_turn_id = ANY (ARRAY(SELECT root_turn_id FROM demo)) LIMIT 1) IS NULL LIMIT ${MAX}
  )
  SELECT (SELECT count(*)::int FROM state.runs r WHERE r.project_id = $1 AND r.source <> 'demo') AS runs,
    (SELECT count(*)::int FROM (SELECT FROM state.agent_turns t WHERE t.project_id = $1 AND NOT t.is_human
      AND t.root_turn_id <> ALL (ARRAY(SELECT root_turn_id FROM demo)) ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${MAX}) n) AS turns,
    (SELECT count(*)::int FROM extra) AS agents,
    (SELECT count(*)::int FROM (SELECT FROM state.agent_turns t CROSS JOIN LATERAL (SELECT FROM cards c
        WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = t.agent_turn_id AND c.metadata ->> 'author_id' = t.agent_id OFFSET 0) c
      WHERE t.project_id = $1 AND t.agent_id = ANY (ARRAY(SELECT agent_id FROM extra)) LIMIT ${MAX}) n) AS cards,
    (SELECT count(*)::int FROM resource.profiles f WHERE f.project_id = $1 AND f.name <> $2
      AND (f.rev > 1 OR f.created_at > coalesce((SELECT min(created_at) FROM demo), '-infinity'))) AS profiles,
    (SELECT count(*)::int FROM resource.plans l WHERE l.project_id = $1
      AND (l.head_version > 1 OR l.created_by <> 'switchyard')) AS plans
  FROM projects p WHERE p.project_id = $1 AND p.removed_at IS NULL`;

export async function readDemoExtras(kernel: Kernel, project_id: string): Promise<DemoExtras> {
  const [row] = await read<DemoExtras>(kernel, UNPREPARED, EXTRAS, [project_id, HUMAN_PROFILE]);
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
  return row;
}
