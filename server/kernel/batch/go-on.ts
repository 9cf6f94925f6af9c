// The turn that waits for a batch goes on in the transaction that ends it, where the worker whose branch was the last would take it.
// Otherwise a worker claims the result and resumes the turn: two transactions later.
import type { LockedBox } from "../cardbox/grow-boxes";
import type { Kernel, Taker } from "../kernel";
import { type Resumed, resumeHeld, resumeOnlyWait } from "../turns/resume-turn";
import type { Unit } from "../unit";
import type { BatchEnd } from "./batch-end";
import { endBatch } from "./end-batch";
import type { Parent, Standing } from "./read-standing";

/** `inbox_id`: for the message with the result. `box`: the turn's output box, if it is locked and the turn waits for nothing else. */
export type Handing = { taker: Taker; parent: Parent; inbox_id: string; box: LockedBox | null };

/** Null: its result waits for a claim. A turn that still runs would be answered that it runs, and its result kept for later. */
export function handingOf(
  { taker, newId }: Kernel,
  { batch, parent }: Standing,
  box: LockedBox | null,
): Handing | null {
  if (!taker || parent?.status !== "suspended" || batch.parent_is_human || !batch.is_awaited) return null;
  if (batch.plan_run_id !== null || !taker.mayTake(parent)) return null;
  return { taker, parent, inbox_id: newId("inbox_"), box };
}

/** Ends the batch. After the commit the taker has the turn that waits for it, unless that turn waits for another call too, or its result for a claim. */
export async function endAndGoOn(
  unit: Unit,
  standing: Standing,
  end: BatchEnd,
  handing: Handing | null,
): Promise<void> {
  if (!handing) return endBatch(unit, standing, end);
  const { project_id, parent_tool_call_id: tool_call_id } = standing.batch;
  const { inbox_id, taker, parent: turn, box } = handing;
  const { worker_id } = taker;
  const went: { resumed?: Resumed | null } = {};
  unit.onOutcome((outcome) => {
    if (outcome !== "committed") taker.doubt();
    else if (went.resumed?.turn) taker.take(went.resumed.turn);
  });
  const go: NonNullable<BatchEnd["goingOn"]>["go"] = async ({ draft, posted }, isLast) => {
    const answered = { turn, tool_call_id, worker_id, isLast };
    went.resumed = await (box
      ? resumeOnlyWait(unit, { ...answered, tool_name: standing.batch.tool_name, card: draft, box })
      : resumeHeld(unit, { ...answered, posted }));
  };
  await endBatch(unit, standing, { ...end, goingOn: { inbox_id, worker_id, go } });
  // The result was not read in this unit: it waits for a claim, as any other.
  if (!went.resumed) unit.ring({ kind: "wakeup", project_id, worker_target: turn.worker_target });
}
