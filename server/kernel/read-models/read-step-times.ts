// When the steps of some turns began, were answered and ended: what the yard's timeline draws for the turns in view, in one
// statement, however many they are.
import type { StepTime, TurnSteps } from "@/server/contract/spans";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { LOST_STEP } from "../turns/begin-step";

/** A bar of this many steps already is a row of single pixels. */
const STEP_TIMES_MAX = 500;

/** Of a turn `t`. A model has answered when its thought is written: the rest of the step is tool calls. */
export const stepTimes = (most: number): string => `
  (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM (
    SELECT s.ordinal, s.status, s.started_at, s.ended_at, a.answered_at, s.error = '${LOST_STEP}' AS is_lost
    FROM state.agent_steps s
    LEFT JOIN (SELECT c.metadata ->> 'step_id' AS step_id, min(c.created_at) AS answered_at FROM cards c
      WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = t.agent_turn_id AND c.metadata ->> 'type' = 'agent.thought'
      GROUP BY 1) a ON a.step_id = s.step_id
    WHERE s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id
    ORDER BY s.ordinal, s.started_at LIMIT ${most}) s)`;

const TIMES = `
  SELECT t.agent_turn_id, ${stepTimes(STEP_TIMES_MAX)} AS steps
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])`;

export type StepTimeRow = Omit<StepTime, "ended_at" | "answered_at" | "is_lost"> & {
  is_lost: boolean | null;
  ended_at: string | null;
  answered_at: string | null;
};

/** Turns that are not in the project are left out. */
export async function readStepTimes(
  kernel: Kernel,
  input: { project_id: string; agent_turn_ids: readonly string[] },
): Promise<TurnSteps[]> {
  const rows = await read<{ agent_turn_id: string; steps: StepTimeRow[] }>(kernel, "step_times", TIMES, [
    input.project_id,
    input.agent_turn_ids,
  ]);
  return rows.map(({ agent_turn_id, steps }) => ({ agent_turn_id, steps: steps.map(stepTimeOf) }));
}

/** Times inside a row made by to_jsonb keep Postgres' spelling. */
export const stepTimeOf = ({ started_at, ended_at, answered_at, is_lost, ...step }: StepTimeRow): StepTime => ({
  ...step,
  ...(is_lost === true && { is_lost }),
  started_at: new Date(started_at).toISOString(),
  ...(answered_at !== null && { answered_at: new Date(answered_at).toISOString() }),
  ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
});
