// What a worker of this process takes on: due rows claimed, and the turns among them started, in one statement. A row whose
// turn is locked by somebody, or has moved on, is only claimed; its start then says why.

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

// Turns are locked after inbox rows here, against the order of everybody else: hence SKIP LOCKED for both, so that nobody
// waits for anybody.
const TAKE = `
  WITH due AS (${CLAIMABLE.around}),
  ready AS (
    SELECT t.project_id, t.agent_turn_id, due.inbox_id FROM due
    JOIN state.agent_turns t ON t.project_id = due.project_id AND t.agent_turn_id = due.agent_turn_id
    WHERE due.message_type = 'turn' AND t.turn_epoch = due.turn_epoch AND t.status = 'dispatched'
    FOR UPDATE OF t SKIP LOCKED
  ), turns AS (
    UPDATE state.agent_turns t SET status = 'running', lease_holder = $2, heartbeat_at = now(),
      started_at = coalesce(t.started_at, now()), taken_by = $2, taken_epoch = t.turn_epoch, rev = t.rev + 1
    FROM ready WHERE t.project_id = ready.project_id AND t.agent_turn_id = ready.agent_turn_id
    RETURNING ${columnsOf(TURN_COLUMNS, "t")}
  ), leases AS (
    UPDATE state.due d SET claimed_by = $2, claimed_at = now(), heartbeat_at = now()
    FROM ready WHERE d.project_id = ready.project_id AND d.agent_turn_id = ready.agent_turn_id
  ), rows AS (
    UPDATE state.agent_inbox i SET status = CASE WHEN ready.inbox_id IS NULL THEN 'processing' ELSE 'consumed' END,
      archived_at = CASE WHEN ready.inbox_id IS NULL THEN NULL ELSE now() END, claimed_by = $2, processed_at = now()
    FROM due LEFT JOIN ready USING (inbox_id)
    WHERE i.project_id = due.project_id AND i.inbox_id = due.inbox_id
    RETURNING i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.attempt, i.worker_target,
      due.place, due.run_place, due.run_key, ready.inbox_id IS NOT NULL AS is_started
  ), ${toldTurnsSql(`SELECT project_id, ${toldTurnSql("turns", `${TELLS.turn}`)} AS told FROM turns`)}
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
    { statementMs: kernel.tunables.quickStatementMs, isOftenEmpty: true },
  );
}

const HELD = `
  SELECT t.* FROM state.due d
  CROSS JOIN LATERAL (SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = d.project_id
    AND agent_turn_id = d.agent_turn_id AND status = 'running' AND lease_holder = $1 OFFSET 0) t
  WHERE d.claimed_by = $1`;

/** Turns that this worker holds: some may have been taken while the answer got lost on its way. */
export async function readHeld(kernel: Kernel, worker_id: string): Promise<TurnRow[]> {
  return read<TurnRow>(kernel, "work_held", HELD, [worker_id]);
}
