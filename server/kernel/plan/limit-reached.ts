// Whether a plan run has used up a limit: recorded turns, tokens and cost of everything below the turn that launched it. A plan that
// an agent launched inside another plan is bound by the limits of both.
import type { Plan } from "@/server/contract/plan/plan";
import type { Unit } from "../unit";
import type { PlanStanding } from "./lock-plan";

// `up`: from the turn that launched this run to the root; where a turn was started by a plan run, that run counts too.
const USED = `
  WITH RECURSIVE up AS (
    SELECT t.agent_turn_id, t.parent_turn_id, t.batch_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2
    UNION ALL
    SELECT t.agent_turn_id, t.parent_turn_id, t.batch_id
    FROM up u JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = u.parent_turn_id
  ), runs AS (
    SELECT r.plan_run_id, r.parent_turn_id, r.body ->> 'name' AS name, r.body -> 'limits' AS limits
    FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_run_id = ANY (ARRAY(
      SELECT $3 UNION SELECT b.plan_run_id FROM up u JOIN state.pmo_batches b ON b.project_id = $1 AND b.batch_id = u.batch_id
      WHERE b.plan_run_id IS NOT NULL))
  ), below AS (
    SELECT r.plan_run_id, t.agent_turn_id, t.tokens_in, t.tokens_out, t.cost
    FROM runs r JOIN state.agent_turns t ON t.project_id = $1 AND t.parent_turn_id = r.parent_turn_id
    UNION ALL
    SELECT b.plan_run_id, t.agent_turn_id, t.tokens_in, t.tokens_out, t.cost
    FROM below b JOIN state.agent_turns t ON t.project_id = $1 AND t.parent_turn_id = b.agent_turn_id
  )
  SELECT r.plan_run_id, r.name, r.limits, count(b.agent_turn_id)::int AS turns,
    coalesce(sum(b.tokens_in + b.tokens_out), 0)::float8 AS tokens, coalesce(sum(b.cost), 0)::float8 AS cost
  FROM runs r LEFT JOIN below b ON b.plan_run_id = r.plan_run_id
  GROUP BY r.plan_run_id, r.name, r.limits ORDER BY r.plan_run_id <> $3, r.plan_run_id`;

type Used = {
  plan_run_id: string;
  name: string;
  limits: Partial<Plan["limits"]>;
  turns: number;
  tokens: number;
  cost: number;
};

/** By node: "turns_max 100 reached: 100 turns"; null = there is room for it. Its own run first, then those around it. */
export async function readLimits(unit: Unit, standing: PlanStanding): Promise<(nodeId: string) => string | null> {
  const { run, plan } = standing;
  const rows = await unit.query<Used>("plan_used", USED, [run.project_id, run.parent_turn_id, run.plan_run_id]);
  return (nodeId) => {
    for (const used of rows) {
      const isOwn = used.plan_run_id === run.plan_run_id;
      // The body in hand has its defaults.
      const limits = isOwn ? plan.limits : used.limits;
      const found = reached(used, limits, startsOf(standing, nodeId), isOwn ? "" : ` of plan ${used.name}`);
      if (found) return found;
    }
    return null;
  };
}

function reached(used: Used, limits: Used["limits"], starts: number, of: string): string | null {
  const { turns_max, tokens_max, cost_max } = limits;
  if (turns_max !== undefined && used.turns >= turns_max)
    return `turns_max ${turns_max}${of} reached: ${used.turns} turns`;
  if (turns_max !== undefined && used.turns + starts > turns_max)
    return `turns_max ${turns_max}${of} would be passed: ${used.turns} turns, and ${starts} to start`;
  if (tokens_max !== undefined && used.tokens >= tokens_max)
    return `tokens_max ${tokens_max}${of} reached: ${used.tokens} tokens`;
  if (cost_max !== undefined && used.cost >= cost_max) return `cost_max ${cost_max}${of} reached: ${used.cost}`;
  return null;
}

/** Turns that the node would make now. */
function startsOf({ plan, nodes }: PlanStanding, nodeId: string): number {
  const node = plan.nodes.find(({ id }) => id === nodeId);
  const replayed = Object.keys(nodes.get(nodeId)?.replays?.tasks ?? {}).length;
  return node?.kind === "fork" ? node.tasks.length - replayed : 1;
}
