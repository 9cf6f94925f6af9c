// Whether a plan run has used up a limit: recorded turns, tokens and cost of everything below the turn that launched it.
import type { Unit } from "../unit";
import type { PlanStanding } from "./lock-plan";

const USED = `
  WITH RECURSIVE below AS (
    SELECT agent_turn_id, tokens_in, tokens_out, cost FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2
    UNION ALL
    SELECT t.agent_turn_id, t.tokens_in, t.tokens_out, t.cost
    FROM below b JOIN state.agent_turns t ON t.project_id = $1 AND t.parent_turn_id = b.agent_turn_id
  )
  SELECT count(*)::int AS turns, coalesce(sum(tokens_in + tokens_out), 0)::float8 AS tokens, coalesce(sum(cost), 0)::float8 AS cost
  FROM below`;

/** "turns_max 100 reached: 100 turns"; null = there is room. */
export async function limitReached(unit: Unit, { run, plan }: PlanStanding): Promise<string | null> {
  const { turns_max, tokens_max, cost_max } = plan.limits;
  const [used] = await unit.query<{ turns: number; tokens: number; cost: number }>("plan_used", USED, [
    run.project_id,
    run.parent_turn_id,
  ]);
  if (!used) throw new Error("a sum answered no row");
  if (used.turns >= turns_max) return `turns_max ${turns_max} reached: ${used.turns} turns`;
  if (tokens_max !== undefined && used.tokens >= tokens_max)
    return `tokens_max ${tokens_max} reached: ${used.tokens} tokens`;
  if (cost_max !== undefined && used.cost >= cost_max) return `cost_max ${cost_max} reached: ${used.cost}`;
  return null;
}
