// What the server tells of a turn is of now. Beside a picture of another moment it is cut there.
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnDetail } from "@/server/contract/turn-detail";

/** Steps that had begun; one that had not ended goes on, and what it used is not known yet. `turn`: as it stood then. */
export function detailUntil(detail: TurnDetail, turn: TurnFrame, at: number): TurnDetail {
  const steps = detail.steps
    .filter((step) => Date.parse(step.started_at) <= at)
    .map((step): TurnDetail["steps"][number] =>
      step.ended_at === undefined || Date.parse(step.ended_at) <= at
        ? step
        : { ...step, status: "started", ended_at: undefined, usage: undefined, error: undefined },
    );
  return {
    ...detail,
    steps,
    deliverable: turn.deliverable_card_id === undefined ? undefined : detail.deliverable,
    // What it waits for now it need not have waited for then.
    waiting: [],
    late: detail.late.filter(({ created_at }) => created_at === undefined || Date.parse(created_at) <= at),
  };
}
