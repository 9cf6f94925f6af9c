// Whether a present worker takes this one turn, by the rule of the claim. Other turns of its target that nobody takes, in
// another project or of a profile without a model, say nothing about it.
import { KernelError } from "@/server/contract/errors";
import type { TurnTaker } from "@/server/contract/health";
import { takesTurnSql } from "../inbox/who-serves";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const TAKER = `
  SELECT t.needs_own_worker,
    EXISTS (SELECT 1 FROM state.workers v WHERE ${takesTurnSql("t.needs_own_worker", "t.worker_target", "t.project_id", "$3::float8")}) AS is_served
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

/** not_found for an unknown turn and for one of another project alike. */
export async function readTaker(
  kernel: Kernel,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<TurnTaker> {
  const values = [project_id, agent_turn_id, kernel.tunables.workerSeenMsMax];
  const [row] = await read<TurnTaker>(kernel, "turn_taker", TAKER, values);
  if (!row) throw new KernelError("not_found", `turn ${agent_turn_id} is not in project ${project_id}`);
  return row;
}
