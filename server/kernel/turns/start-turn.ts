// A claimed turn begins: head dispatched -> running and its inbox row consumed, in one transaction.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { advance } from "./advance";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import type { TurnRow } from "./turn-row";

// Rows of older epochs go with it: they can never be acted on again.
const CONSUME = `
  UPDATE state.agent_inbox SET status = 'consumed', archived_at = now()
  WHERE project_id = $1 AND agent_turn_id = $2 AND message_type = 'turn' AND turn_epoch <= $3
    AND status IN ('pending', 'processing', 'deferred')`;

const STARTED = `
  SELECT * FROM state.agent_turns
  WHERE project_id = $1 AND agent_turn_id = $2 AND turn_epoch = $3 AND lease_holder = $4 AND status = 'running'`;

export type StartInput = TurnKey & { worker_id: string };

/** The same worker may ask again, when the answer was lost on its way, and gets the same one. */
export async function startTurn(kernel: Kernel, input: StartInput): Promise<{ turn: TurnRow } | Fenced> {
  const { project_id, agent_turn_id, turn_epoch, worker_id } = input;
  return withUnit(kernel, async (unit) => {
    const [started] = await unit.query<TurnRow>("turn_started", STARTED, [
      project_id,
      agent_turn_id,
      turn_epoch,
      worker_id,
    ]);
    if (started) return { turn: started };
    const locked = await lockTurn(unit, { ...input, statuses: ["dispatched"], what: "start" });
    await unit.query("inbox_consume_turn", CONSUME, [project_id, agent_turn_id, turn_epoch]);
    if (isFenced(locked)) return locked;
    const turn = await advance(unit, {
      ...input,
      from: ["dispatched"],
      to: "running",
      epoch_step: 0,
      lease_holder: input.worker_id,
    });
    return isFenced(turn) ? turn : { turn };
  });
}
