// A person stops a turn, or a turn and everything below it. What it forked ends with it in any case; a batch that it is a
// branch of learns of it as of any other end.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { stopTurns } from "../turns/stop-turns";
import { withUnit } from "../unit";

export type StopInput = {
  project_id: string;
  agent_turn_id: string;
  scope: "turn" | "subtree";
  reason?: string;
  /** Who asked for it: a user, or "api". */
  by: string;
};

const THERE =
  "SELECT ended_at IS NOT NULL AS is_over FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2";

// A child may be created while the tree is read: live turns are stopped, and the tree is read again until there are none.
const LIVE = `
  WITH RECURSIVE tree AS (
    SELECT agent_turn_id, ended_at FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2
    UNION
    SELECT t.agent_turn_id, t.ended_at FROM tree CROSS JOIN LATERAL (SELECT agent_turn_id, ended_at FROM state.agent_turns
      WHERE project_id = $1 AND parent_turn_id = tree.agent_turn_id OFFSET 0) t
  )
  SELECT agent_turn_id FROM tree WHERE ended_at IS NULL AND ($3::boolean OR agent_turn_id = $2)`;

// Plan runs, then batches, before heads (K17): stopping a turn ends what it launched and forked.
const PLANS = `
  SELECT plan_run_id FROM state.plan_runs WHERE project_id = $1 AND parent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY plan_run_id FOR UPDATE`;
const BATCHES = `
  SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND parent_agent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY batch_id FOR UPDATE`;

const ROUNDS_MAX = 20;

/** Ids of the turns that this call ended; none when it had ended already. not_found for an unknown turn. */
export async function stopTurn(kernel: Kernel, input: StopInput): Promise<{ stopped: string[] }> {
  const { project_id, agent_turn_id, scope, by } = input;
  const { rows } = await kernel.db.pool.query<{ is_over: boolean }>({
    name: "stop_there",
    text: THERE,
    values: [project_id, agent_turn_id],
  });
  if (!rows[0]) throw new KernelError("not_found", `turn ${agent_turn_id} not found`, { agent_turn_id });
  const error = `stopped by ${by}${input.reason ? `: ${input.reason}` : ""}`;
  const stopped: string[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const ended = await withUnit(kernel, async (unit) => {
      const live = await unit.query<{ agent_turn_id: string }>("stop_tree", LIVE, [
        project_id,
        agent_turn_id,
        scope === "subtree",
      ]);
      const ids = live.map((turn) => turn.agent_turn_id);
      if (ids.length === 0) return [];
      await unit.query("stop_plans", PLANS, [project_id, ids]);
      await unit.query("stop_batches", BATCHES, [project_id, ids]);
      return stopTurns(unit, {
        project_id,
        agent_turn_ids: ids,
        status: "canceled",
        error_code: "stopped",
        error,
        note: "stopped by hand",
      });
    });
    stopped.push(...ended.map((end) => end.agent_turn_id));
    if (ended.length === 0 || scope === "turn") break;
  }
  return { stopped };
}
