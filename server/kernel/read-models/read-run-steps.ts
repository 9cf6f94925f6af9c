// When the steps of a run were at work, and what they had used: for its idle time, and for a run that only its rows' times can tell.
import type { DatedStep } from "@/server/contract/turn-moments";
import { type Reader, read } from "../reader";

/** More steps than this, and the run's idle time is not known. */
const RUN_STEPS_MAX = 20_000;

const STEPS = `
  SELECT s.agent_turn_id, s.started_at, coalesce(s.ended_at, t.ended_at) AS ended_at,
    coalesce((s.usage ->> 'input_tokens')::bigint, 0) AS tokens_in, coalesce((s.usage ->> 'output_tokens')::bigint, 0) AS tokens_out
  FROM state.agent_turns t
  CROSS JOIN LATERAL (SELECT s.agent_turn_id, s.ordinal, s.started_at, s.ended_at, s.usage FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id OFFSET 0) s
  WHERE t.project_id = $1 AND t.root_turn_id = $2
  ORDER BY s.agent_turn_id, s.ordinal, s.started_at LIMIT ${RUN_STEPS_MAX + 1}`;

type Row = {
  agent_turn_id: string;
  started_at: string;
  ended_at: string | null;
  tokens_in: number;
  tokens_out: number;
};
export type RunStep = DatedStep & { agent_turn_id: string };

/** By turn, in their order; null = too many. */
export async function readRunSteps(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<RunStep[] | null> {
  const rows = await read<Row>(reader, "run_steps", STEPS, [project_id, root_turn_id]);
  if (rows.length > RUN_STEPS_MAX) return null;
  return rows.map(({ started_at, ended_at, ...step }) => ({
    ...step,
    started_at: new Date(started_at).toISOString(),
    ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
  }));
}
