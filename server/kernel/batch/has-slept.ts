// The answer to a fork was lost: was it written? It suspends its caller in the same transaction, so where the batch was made under this
// lease the turn is suspended, or awake again under another.

import type { Kernel } from "../kernel";
import { read } from "../reader";
import type { TurnKey } from "../turns/lock-turn";

const MADE = `
  SELECT b.batch_id FROM state.pmo_batches b
  WHERE b.project_id = $1 AND b.parent_tool_call_id = $2 AND b.parent_agent_turn_id = $3 AND b.parent_turn_epoch = $4`;

export async function hasSlept(kernel: Kernel, call: TurnKey & { tool_call_id: string }): Promise<boolean> {
  const { project_id, tool_call_id, agent_turn_id, turn_epoch } = call;
  const rows = await read<{ batch_id: string }>(kernel, "fork_has_slept", MADE, [
    project_id,
    tool_call_id,
    agent_turn_id,
    turn_epoch,
  ]);
  return rows.length > 0;
}
