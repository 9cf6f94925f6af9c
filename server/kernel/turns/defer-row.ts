// A worker cannot apply a message yet. Above the limit its turn fails, because nothing else would ever move it.

import { findClaimed } from "../inbox/find-claimed";
import { putOff } from "../inbox/put-off";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { endTurn } from "./end-turn";
import { isFenced } from "./fenced";
import { lockTurn } from "./lock-turn";

export type DeferInput = {
  project_id: string;
  inbox_id: string;
  reason: string;
  /** Without it 1, 2, 4 s. */
  delay_ms?: number;
  worker_id?: string;
};

/** `consumed` = deferred too often, so its turn has failed; or the turn had moved on and the row no longer mattered. */
export type DeferResult = {
  inbox_id: string;
  status: "deferred" | "consumed";
  retry_count?: number;
  next_retry_at?: string;
};

const PEEK = `
  SELECT agent_turn_id, turn_epoch, retry_count FROM state.inbox_messages
  WHERE project_id = $1 AND inbox_id = $2 AND message_type <> 'turn' AND status = 'processing'`;

const CONSUME = `
  UPDATE state.inbox_messages SET status = 'consumed', archived_at = now()
  WHERE project_id = $1 AND inbox_id = $2 AND status = 'processing'`;

type Peeked = { agent_turn_id: string | null; turn_epoch: number; retry_count: number };

/** Refuses as findClaimed does. */
export async function deferRow(kernel: Kernel, input: DeferInput): Promise<DeferResult> {
  const { inbox_id } = input;
  return withUnit(kernel, async (unit) => {
    const turn = await lockFailing(unit, input);
    const claimed = await findClaimed(unit, input);
    if (claimed.status === "consumed") return { inbox_id, status: "consumed" };
    const answer = await putOff(unit, input);
    if (answer.status === "deferred") return { inbox_id, ...answer };
    if (turn && !isFenced(turn))
      await endTurn(unit, {
        row: turn,
        status: "failed",
        content: null,
        error_code: "resume_retry_exhausted",
        error: `a ${claimed.message_type} could not be applied in ${claimed.retry_count + 1} attempts: ${input.reason}`,
        epoch_step: 1,
      });
    await unit.query("inbox_consume", CONSUME, [input.project_id, inbox_id]);
    return { inbox_id, status: "consumed" };
  });
}

/** The head is locked before the row, as everywhere; so it has to be known beforehand whether the turn will be ended. */
async function lockFailing(unit: Unit, input: DeferInput) {
  const { project_id, inbox_id, worker_id } = input;
  const [row] = await unit.query<Peeked>("inbox_peek", PEEK, [project_id, inbox_id]);
  if (!row?.agent_turn_id || row.retry_count < unit.kernel.tunables.deferralsMax) return null;
  const { agent_turn_id, turn_epoch } = row;
  const statuses = ["dispatched" as const, "running" as const, "suspended" as const];
  return lockTurn(unit, { project_id, agent_turn_id, turn_epoch, statuses, what: "defer", worker_id });
}
