// Claims due rows for a worker in another language: SKIP LOCKED, several at once (claims of 16 quadruple the throughput of
// one).
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { CLAIMABLE, type ClaimInput, claimOf } from "./claimable";
import { inClaimOrder, type Round } from "./run-places";

export type ClaimedRow = {
  project_id: string;
  inbox_id: string;
  agent_id: string;
  message_type: "turn" | "tool_result" | "timeout" | "stop" | "ui_action";
  agent_turn_id: string;
  turn_epoch: number;
  attempt: number;
  worker_target: string;
};

const claimSql = (claimable: string) => `
  WITH due AS (${claimable})
  UPDATE state.agent_inbox i SET status = 'processing', claimed_by = $2, processed_at = now()
  FROM due WHERE i.project_id = due.project_id AND i.inbox_id = due.inbox_id
  RETURNING i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.attempt, i.worker_target,
    due.place, due.run_place, due.run_key`;
const CLAIM = { named: claimSql(CLAIMABLE.named), around: claimSql(CLAIMABLE.around) };

/** Rows that wake a turn first, run by run, each in due order. An empty answer is the usual one. */
export async function claimInbox(kernel: Kernel, input: ClaimInput): Promise<ClaimedRow[]> {
  const { kind, values } = claimOf(kernel, input, true);
  const rows = await withUnit(
    kernel,
    (unit) => unit.query<ClaimedRow & Round>(`inbox_claim_${kind}`, CLAIM[kind], values),
    { statementMs: kernel.tunables.quickStatementMs },
  );
  return inClaimOrder(kernel, rows);
}
