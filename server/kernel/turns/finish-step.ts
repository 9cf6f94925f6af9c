// A step that a foreign worker began is over, with what it used and cost. What the step said and did was appended and called
// before; here it is only closed.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { endStepIn } from "./end-step";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";

export type FinishStepInput = TurnKey & {
  step_id: string;
  usage?: { input_tokens?: number; output_tokens?: number };
  /** In the currency of the model's bill, six decimals. */
  cost?: number;
  /** Present = the step failed. */
  error?: string;
  worker_id?: string;
};

const FIND = `
  SELECT s.status, s.error,
    (SELECT coalesce(array_agg(c.tool_call_id ORDER BY c.created_at, c.card_id), '{}') FROM cards c
      WHERE c.tenant_id = s.project_id AND c.metadata ->> 'agent_turn_id' = s.agent_turn_id
        AND c.metadata ->> 'type' = 'tool.call' AND c.metadata ->> 'step_id' = s.step_id) AS tool_call_ids
  FROM state.agent_steps s WHERE s.project_id = $1 AND s.agent_turn_id = $2 AND s.step_id = $3`;

const COST = `
  WITH step AS (UPDATE state.agent_steps SET cost = $4 WHERE project_id = $1 AND step_id = $3)
  UPDATE state.agent_turns SET cost = coalesce(cost, 0) + $4 WHERE project_id = $1 AND agent_turn_id = $2`;

type Found = { status: "started" | "completed" | "failed"; error: string | null; tool_call_ids: string[] };

/** not_found for a step that is not of this turn. A step that has ended the same way already is answered again. */
export async function finishStep(kernel: Kernel, input: FinishStepInput): Promise<{ step_id: string } | Fenced> {
  const { project_id, agent_turn_id, step_id, cost } = input;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "end step" });
    if (isFenced(row)) return row;
    const [step] = await unit.query<Found>("step_find", FIND, [project_id, agent_turn_id, step_id]);
    if (!step) throw new KernelError("not_found", `step_id: turn ${agent_turn_id} has no step ${step_id}`);
    const end = input.error === undefined ? "completed" : "failed";
    if (step.status === end) return { step_id };
    if (step.status !== "started")
      throw new KernelError("conflict", `step ${step_id} is already ${step.status}; begin another one`);
    if (cost !== undefined) await unit.query("step_cost", COST, [project_id, agent_turn_id, step_id, cost]);
    await endStepIn(unit, row, { ...input, cards: [], tool_call_ids: step.tool_call_ids });
    return { step_id };
  });
}
