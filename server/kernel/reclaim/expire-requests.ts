// Requests past their deadline (those of plans end with the plan run's own): the turn is told that nobody decided, and continues. If a person was quicker, their decision
// stands.

import { closeRequest } from "../humans/close-request";
import { lockRequest } from "../humans/lock-request";
import type { PostedResult } from "../inbox/post-results";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

type Overdue = WatchedRow & { request_id: string };

const OVERDUE = `
  SELECT q.project_id, q.request_id, ${rowKey("q.request_id")}
  FROM state.human_requests q ${failureJoin("expire-requests", "q.project_id", "q.request_id")}
  WHERE q.status = 'open' AND q.kind <> 'plan_hold' AND q.deadline_at < now() AND ${IS_TRIED}
  ORDER BY ${inTurn("q.project_id", "q.deadline_at")} LIMIT ${LIST_MAX}`;

/** Returns how many expired. */
export async function expireRequests(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<Overdue>({ name: "reclaim_requests", text: OVERDUE });
  const due = { rule: "expire-requests", rows, isWhole: rows.length < LIST_MAX } as const;
  return eachRow(kernel, due, (overdue, brief) => expireOne(brief, overdue));
}

async function expireOne(kernel: Kernel, overdue: Overdue): Promise<boolean> {
  return withUnit(kernel, async (unit) => {
    const row = await lockRequest(unit, overdue);
    if (row?.status !== "open" || row.deadline_at === null) return false;
    await unit.probe("before-expire");
    const seconds = Math.round((Date.parse(row.deadline_at) - Date.parse(row.created_at)) / 100) / 10;
    const message =
      row.kind === "question"
        ? `nobody answered within ${seconds} s`
        : `nobody approved the call of ${row.tool_name} within ${seconds} s, so it was not made`;
    const content: PostedResult["content"] = {
      kind: "tool_result",
      status: "timeout",
      after_execution: "suspend",
      error: { code: row.kind === "question" ? "no_answer" : "no_approval", message },
    };
    await closeRequest(unit, {
      row,
      status: "expired",
      result: {
        message_type: "timeout",
        content,
        card: { type: "tool.result", tool_call_id: row.tool_call_id, content },
        metadata: { request_id: row.request_id },
      },
    });
    return true;
  });
}
