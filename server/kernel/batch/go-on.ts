// The turn that waits for a batch goes on in the transaction that ends it, where the worker whose branch was the last would take it.
// Otherwise a worker claims the result and resumes the turn: two transactions later.
import type { Kernel, Taker } from "../kernel";
import { resumeIn } from "../turns/resume-turn";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { Standing } from "./read-standing";

/** `inbox_id`: for the message with the result. */
export type Handing = { taker: Taker; inbox_id: string };

/** Null: its result waits for a claim. A turn that still runs would be answered that it runs, and its result kept for later. */
export function handingOf({ taker, newId }: Kernel, { batch, parent }: Standing): Handing | null {
  if (!taker || parent?.status !== "suspended" || batch.parent_is_human || !batch.is_awaited) return null;
  if (batch.plan_run_id !== null || !taker.mayTake(parent)) return null;
  return { taker, inbox_id: newId("inbox_") };
}

/** The batch has ended, and its result is posted. Null: it waits for another call, or was answered otherwise. */
export async function goOn(unit: Unit, { batch }: Standing, { taker, inbox_id }: Handing): Promise<TurnRow | null> {
  const { project_id, parent_agent_turn_id: agent_turn_id } = batch;
  const resumed = await resumeIn(unit, { project_id, agent_turn_id, inbox_id, worker_id: taker.worker_id });
  return resumed?.turn ?? null;
}
