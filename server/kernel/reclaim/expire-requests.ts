// Requests whose time is over: the turn is told that nobody decided, and goes on. A person who was quicker has decided.
import type { PostedResult } from "../inbox/post-results";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { closeRequest } from "./close-request";
import { lockRequest } from "./lock-request";

type Overdue = { project_id: string; request_id: string };

const OVERDUE = `
  SELECT project_id, request_id FROM state.human_requests WHERE status = 'open' AND deadline_at < now()
  ORDER BY deadline_at LIMIT 100`;

/** Answers how many were given up. */
export async function expireRequests(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<Overdue>({ name: "reclaim_requests", text: OVERDUE });
  let acted = 0;
  for (const overdue of rows) if (await expireOne(kernel, overdue)) acted++;
  return acted;
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
        : `nobody decided within ${seconds} s whether ${row.tool_name} may be called; it was not called`;
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
