// Claims due rows for a worker in another language: SKIP LOCKED, several at once.
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
  WITH claimed AS (${claimable}), turns AS (
    UPDATE state.due d SET claimed_by = $2, claimed_at = now()
    FROM claimed c WHERE c.message_type = 'turn' AND d.project_id = c.project_id AND d.agent_turn_id = c.agent_turn_id
    RETURNING d.project_id, c.inbox_id, (SELECT t.agent_id FROM state.agent_turns t WHERE t.project_id = d.project_id
        AND t.agent_turn_id = d.agent_turn_id) AS agent_id, c.message_type, d.agent_turn_id, d.turn_epoch, d.attempt, d.worker_target,
      c.place, c.run_place, c.run_key
  ), messages AS (
    UPDATE state.inbox_messages i SET status = 'processing', claimed_by = $2, processed_at = now()
    FROM claimed c WHERE c.message_type <> 'turn' AND i.project_id = c.project_id AND i.inbox_id = c.inbox_id
    RETURNING i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.attempt, i.worker_target,
      c.place, c.run_place, c.run_key
  )
  SELECT * FROM turns UNION ALL SELECT * FROM messages`;
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
