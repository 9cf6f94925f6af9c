// What a worker of this process takes on: messages and turns claimed, and the turns started, in one statement. A turn that
// is locked by somebody, or has moved on, is only claimed; its start then says why.

import { columnsOf } from "../columns";
import type { ClaimedRow } from "../inbox/claim-inbox";
import { CLAIMABLE, type ClaimInput, claimOf } from "../inbox/claimable";
import { inClaimOrder, type Round } from "../inbox/run-places";
import { toldTurnsSql } from "../journal/told";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { withUnit } from "../unit";
import { TELLS, toldTurnSql } from "./turn-frame-sql";
import { TURN_COLUMNS, type TurnRow, toldTurn } from "./turn-row";

// Turns are locked after what is due here, against the order of everybody else: hence SKIP LOCKED for both, so that nobody
// waits for anybody.
const TAKE = `
  WITH claimed AS (${CLAIMABLE.around}),
  asked AS MATERIALIZED (
    SELECT c.project_id, c.agent_turn_id, c.turn_epoch, t.agent_id FROM claimed c LEFT JOIN LATERAL (SELECT t.agent_id FROM state.agent_turns t
      WHERE t.project_id = c.project_id AND t.agent_turn_id = c.agent_turn_id OFFSET 0) t ON true
    WHERE c.message_type = 'turn'
  ), ready AS (
    SELECT t.project_id, t.agent_turn_id FROM asked
    JOIN state.agent_turns t ON t.project_id = asked.project_id AND t.agent_turn_id = asked.agent_turn_id
    WHERE t.turn_epoch = asked.turn_epoch AND t.status = 'dispatched'
    FOR UPDATE OF t SKIP LOCKED
  ), turns AS (
    UPDATE state.agent_turns t SET status = 'running', lease_holder = $2, heartbeat_at = now(),
      started_at = coalesce(t.started_at, now()), taken_by = $2, taken_epoch = t.turn_epoch, rev = t.rev + 1
    FROM ready WHERE t.project_id = ready.project_id AND t.agent_turn_id = ready.agent_turn_id
    RETURNING ${columnsOf(TURN_COLUMNS, "t")}
  ), leases AS (
    UPDATE state.due d SET claimed_by = $2, claimed_at = now(), heartbeat_at = CASE WHEN r.agent_turn_id IS NOT NULL THEN now() END
    FROM claimed c JOIN asked a USING (project_id, agent_turn_id)
    LEFT JOIN ready r ON r.project_id = c.project_id AND r.agent_turn_id = c.agent_turn_id
    WHERE d.project_id = c.project_id AND d.agent_turn_id = c.agent_turn_id
    RETURNING d.project_id, c.inbox_id, a.agent_id, c.message_type, d.agent_turn_id, d.turn_epoch, d.attempt, d.worker_target,
      c.place, c.run_place, c.run_key, r.agent_turn_id IS NOT NULL AS is_started
  ), messages AS (
    UPDATE state.inbox_messages i SET status = 'processing', claimed_by = $2, processed_at = now()
    FROM claimed c WHERE c.message_type <> 'turn' AND i.project_id = c.project_id AND i.inbox_id = c.inbox_id
    RETURNING i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.attempt, i.worker_target,
      c.place, c.run_place, c.run_key, false AS is_started
  ), rows AS (SELECT * FROM leases UNION ALL SELECT * FROM messages), ${toldTurnsSql(`SELECT project_id, ${toldTurnSql("turns", `${TELLS.turn}`)} AS told FROM turns`)}
  SELECT t.*, to_jsonb(rows) - 'is_started' AS claimed, is_started
  FROM rows LEFT JOIN turns t ON is_started AND t.project_id = rows.project_id AND t.agent_turn_id = rows.agent_turn_id`;

/** `turn`: it has been started, by this worker. */
export type TakenRow = ClaimedRow & { turn?: TurnRow };
type Row = TurnRow & { claimed: ClaimedRow & Round; is_started: boolean };

/** Each project's in turn; the last row says where the next claim begins (`after`). An empty answer is the usual one. */
export async function takeWork(kernel: Kernel, input: ClaimInput): Promise<TakenRow[]> {
  return withUnit(
    kernel,
    async (unit) => {
      const rows = await unit.query<Row>("work_take", TAKE, claimOf(kernel, input, false).values);
      await unit.probe("after-take");
      const taken = rows.map(({ claimed, is_started, ...turn }) => ({ ...claimed, ...(is_started && { turn }) }));
      const ordered: TakenRow[] = inClaimOrder(kernel, taken);
      for (const { turn } of ordered) if (turn) unit.told(turn.project_id, [toldTurn(turn)]);
      return ordered;
    },
    { statementMs: kernel.tunables.quickStatementMs, isOftenEmpty: true, isOneStatement: true },
  );
}

const HELD = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM state.due d
  JOIN state.agent_turns t ON t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id
  WHERE d.claimed_by = $1 AND d.heartbeat_at IS NOT NULL`;

/** Turns that this worker holds: some may have been taken while the answer got lost on its way. */
export async function readHeld(kernel: Kernel, worker_id: string): Promise<TurnRow[]> {
  return read<TurnRow>(kernel, "work_held", HELD, [worker_id]);
}
