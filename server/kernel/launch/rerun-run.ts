// Runs a whole run again: what its person launched is launched once more, with fresh agents that are given the same cards, within
// the limits that the run has now.
import { KernelError } from "@/server/contract/errors";
import type { RerunRunBody } from "@/server/contract/rerun";
import type { RunLimits } from "@/server/contract/run-limits";
import type { Kernel } from "../kernel";
import { readSource } from "../plan/read-source";
import { DELETED } from "../plan/shown-inputs";
import { read } from "../reader";
import { forkPlanRun } from "./fork-plan-run";
import { rerunFork } from "./rerun-fork";
import { rerunTurn } from "./rerun-turn";

export type RerunRunInput = RerunRunBody & { project_id: string; root_turn_id: string };

type Launched = {
  is_human: boolean;
  limits: RunLimits | null;
  primitive: string;
  plan_run_id: string | null;
  batch_id: string | null;
  agent_turn_id: string | null;
};

// A person's root turn has launched one thing; what was launched into the run later has a person's turn of its own.
const LAUNCHED = `
  SELECT t.is_human, t.primitive, s.limits,
    (SELECT r.plan_run_id FROM state.plan_runs r WHERE r.project_id = $1 AND r.parent_turn_id = $2
      ORDER BY r.created_at, r.plan_run_id LIMIT 1) AS plan_run_id,
    (SELECT b.batch_id FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_agent_turn_id = $2 AND b.plan_run_id IS NULL
      ORDER BY b.created_at, b.batch_id LIMIT 1) AS batch_id,
    (SELECT c.agent_turn_id FROM state.agent_turns c WHERE c.project_id = $1 AND c.parent_turn_id = $2 AND c.batch_id IS NULL
      AND NOT c.is_human ORDER BY c.created_at, c.agent_turn_id LIMIT 1) AS agent_turn_id
  FROM state.runs s JOIN state.agent_turns t ON t.project_id = s.project_id AND t.agent_turn_id = s.root_turn_id
  WHERE s.project_id = $1 AND s.root_turn_id = $2`;

/** Answers the root turn of the new run. not_found for an unknown run; bad_request for one that nobody launched here. */
export async function rerunRun(kernel: Kernel, input: RerunRunInput): Promise<{ root_turn_id: string }> {
  const { project_id, root_turn_id, user } = input;
  const [found] = await read<Launched>(kernel, "rerun_launched", LAUNCHED, [project_id, root_turn_id]);
  if (!found) throw new KernelError("not_found", `run ${root_turn_id} not found in project ${project_id}`);
  if (found.primitive === "import")
    throw new KernelError(
      "bad_request",
      `run ${root_turn_id} was imported, so nobody runs its agents; run one of its turns again with overrides.profile_name`,
    );
  const { plan_run_id, batch_id } = found;
  const asked = { project_id, user, limits: found.limits ?? undefined };
  if (plan_run_id !== null) return rerunPlan(kernel, { ...asked, plan_run_id });
  if (batch_id !== null) return rerunFork(kernel, { ...asked, batch_id });
  const { agent_turn_id } = found.is_human ? found : { agent_turn_id: root_turn_id };
  if (agent_turn_id === null)
    throw new KernelError(
      "bad_request",
      `run ${root_turn_id} has launched no turn: it only made an agent, or its turn still waits. Launch the work itself`,
    );
  const turn = await rerunTurn(kernel, { ...asked, agent_turn_id, overrides: {} });
  return { root_turn_id: turn.root_turn_id };
}

type RerunPlan = { project_id: string; plan_run_id: string; user: string; limits?: RunLimits };

/** As the run was in the end: an edit of the running plan is part of it. Nothing is taken as recorded. */
async function rerunPlan(kernel: Kernel, input: RerunPlan) {
  const source = await readSource(kernel, input);
  const [gone] = Object.entries(source.run.inputs).find(([, given]) => given.text === DELETED) ?? [];
  if (gone !== undefined)
    throw new KernelError(
      "bad_request",
      `the text that the plan was given as ${gone} was deleted; launch the plan with another`,
    );
  const force = source.plan.nodes.flatMap(({ id, disabled }) => (disabled ? [] : id));
  const launched = await forkPlanRun(kernel, { ...input, ops: [], force });
  return { root_turn_id: launched.root_turn_id };
}
