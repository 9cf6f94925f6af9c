// What the server tells of a turn is of now. Beside a picture of another moment its steps are cut there.
import type { TurnDetail } from "@/server/contract/turn-detail";

/** Steps that had begun; one that had not ended goes on, and what it used is not known yet. */
export function detailUntil(detail: TurnDetail, at: number): TurnDetail {
  const steps = detail.steps
    .filter((step) => Date.parse(step.started_at) <= at)
    .map((step): TurnDetail["steps"][number] =>
      step.ended_at === undefined || Date.parse(step.ended_at) <= at
        ? step
        : { ...step, status: "started", ended_at: undefined, usage: undefined, error: undefined },
    );
  return { ...detail, steps };
}
