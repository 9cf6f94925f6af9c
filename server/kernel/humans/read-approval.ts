// The state of a call that needs a person's approval. The row decides, whatever the cards of a turn say.
import { type Reader, read } from "../reader";

export type Approval = { arguments: Record<string, unknown>; decision_card_id: string };

const APPROVED = `
  SELECT coalesce(edited_arguments, arguments) AS arguments, decision_card_id FROM state.human_requests
  WHERE project_id = $1 AND tool_call_id = $2 AND kind = 'approval' AND status = 'approved'`;

/** Null unless it was approved. */
export async function readApproval(
  reader: Reader,
  input: { project_id: string; tool_call_id: string },
): Promise<Approval | null> {
  const [row] = await read<Approval>(reader, "human_request_approved", APPROVED, [
    input.project_id,
    input.tool_call_id,
  ]);
  return row ?? null;
}
