// Closes a request, by a person or by its deadline: the turn's wait gets its answer, the row records who decided what, and
// its frame is written, in one transaction.
import type { HumanRequestStatus } from "@/server/contract/asking";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { type PostedResult, postResults } from "../inbox/post-results";
import { approvalOf } from "../inbox/waits";
import type { Unit } from "../unit";

export type CloseRequest = {
  /** Locked, and open. */
  row: HumanRequestRow;
  status: Exclude<HumanRequestStatus, "open" | "dropped">;
  decided_by?: string;
  answer?: string;
  reason?: string;
  edited_arguments?: Record<string, unknown>;
  /** What the turn that waits is told; null where a plan reads the decision itself. */
  result: Pick<PostedResult, "message_type" | "content" | "card" | "metadata"> | null;
};

const CLOSE = `
  UPDATE state.human_requests SET status = $3, decided_by = $4, answer = $5::jsonb, reason = $6, edited_arguments = $7::jsonb,
    decision_card_id = $8, decided_at = now(), rev = rev + 1
  WHERE project_id = $1 AND request_id = $2 AND status = 'open'
  RETURNING ${columnsOf(REQUEST_COLUMNS, "human_requests")}`;

export async function closeRequest(unit: Unit, close: CloseRequest): Promise<HumanRequestRow> {
  const { row, status, decided_by, answer, reason, edited_arguments, result } = close;
  const { project_id, request_id } = row;
  const card_id = result === null ? null : await tell(unit, row, decided_by, result);
  const [closed] = await unit.query<HumanRequestRow>("human_request_close", CLOSE, [
    project_id,
    request_id,
    status,
    decided_by ?? null,
    answer === undefined ? null : JSON.stringify(answer),
    reason ?? null,
    edited_arguments === undefined ? null : JSON.stringify(edited_arguments),
    card_id,
  ]);
  if (!closed) throw new Error(`request ${request_id} was locked and could not be closed`);
  unit.frame(project_id, humanRequestFrame(closed));
  return closed;
}

/** Answers the card with the decision. */
async function tell(
  unit: Unit,
  row: HumanRequestRow,
  decided_by: string | undefined,
  result: NonNullable<CloseRequest["result"]>,
): Promise<string> {
  const { project_id, request_id, agent_turn_id, tool_call_id, tool_name, step_id } = row;
  const waited = row.kind === "approval" ? approvalOf(tool_call_id) : tool_call_id;
  const posted = await postResults(unit, {
    project_id,
    results: [
      {
        agent_turn_id,
        tool_call_id: waited,
        author_id: decided_by === undefined ? "worker.watchdog" : `human_${decided_by}`.slice(0, 256),
        ...result,
        metadata: { function_name: tool_name, ...(step_id !== null && { step_id }), ...result.metadata },
      },
    ],
  });
  const card = posted.get(waited);
  // Ending a turn drops both what it waits for and what it has asked.
  if (!card) throw new Error(`request ${request_id} is open, and its turn does not wait for it`);
  return card.card_id;
}
