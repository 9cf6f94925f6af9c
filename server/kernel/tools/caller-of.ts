// Who delegates, as the kernel wants to know it.
import type { CallerRef } from "../delegation/caller";
import type { ToolContext } from "./inline-tool";

/**
 * The key leaves the epoch out: the call's id was minted and stored before the call was made, so whoever takes the turn
 * over makes the same call, and it must not delegate twice.
 */
export function callerOf({ turn, step_id, tool_call_id }: ToolContext): CallerRef {
  const { agent_id, agent_turn_id, turn_epoch } = turn;
  return {
    agent_id,
    agent_turn_id,
    turn_epoch,
    step_id,
    tool_call_id,
    client_call_key: `${agent_turn_id}/${tool_call_id}`,
  };
}
