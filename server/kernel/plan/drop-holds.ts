// Takes back what a person was asked about nodes that are held: they cannot start now, so there is nothing to decide.
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import type { Unit } from "../unit";
import type { PlanStanding } from "./lock-plan";

const DROP = `
  UPDATE state.human_requests q SET status = 'dropped', decided_at = now(), rev = q.rev + 1
  WHERE q.project_id = $1 AND q.request_id = ANY ($2::text[]) AND q.status = 'open' RETURNING ${columnsOf(REQUEST_COLUMNS, "q")}`;

export async function dropHolds(unit: Unit, { run, nodes }: PlanStanding, ids: readonly string[]): Promise<void> {
  const asked = ids.flatMap((id) => {
    const node = nodes.get(id);
    return node?.status === "held" && node.request_status === "open" && node.request_id !== null
      ? [node.request_id]
      : [];
  });
  if (asked.length === 0) return;
  const requests = await unit.query<HumanRequestRow>("plan_drop_holds", DROP, [run.project_id, asked]);
  for (const request of requests) unit.frame(run.project_id, humanRequestFrame(request));
}
