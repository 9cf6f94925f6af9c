// A tool that the project registers and somebody else carries out: the call is written down, its service is rung, and the
// result comes as a report. The same call again is the same call, and rings nobody.
import { kindOf, type Tool, timeoutOf } from "@/server/contract/tool";
import { insertWait } from "../inbox/waits";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn } from "../turns/lock-turn";
import { withUnit } from "../unit";
import type { ToolContext, ToolWait } from "./inline-tool";

/** `is_answered` = it was called before, and its result is there for the turn to read. */
export type ExternalWait = ToolWait & { is_answered: boolean };

export async function callExternal(context: ToolContext, tool: Tool): Promise<ExternalWait | Fenced> {
  const { kernel, turn, step_id, tool_call_id } = context;
  const { project_id, agent_turn_id, turn_epoch, agent_id } = turn;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { project_id, agent_turn_id, turn_epoch, statuses: ["running"], what: "call" });
    if (isFenced(row)) return row;
    const timeoutMs = timeoutOf(tool.options) ?? kernel.tunables.toolTimeoutMs;
    const { deadline_at, is_new, wait_status } = await insertWait(unit, {
      project_id,
      agent_id,
      agent_turn_id,
      turn_epoch,
      tool_call_id,
      tool_name: tool.tool_name,
      step_id,
      tool_call_card_id: context.tool_call_card_id,
      timeout_ms: timeoutMs,
    });
    if (is_new && tool.target_subject !== undefined && kindOf(tool) === "command")
      unit.ring({
        kind: "command",
        target_subject: tool.target_subject,
        project_id,
        channel: row.channel,
        agent_id,
        agent_turn_id,
        turn_epoch,
        step_id,
        tool_call_id,
        tool_name: tool.tool_name,
        tool_call_card_id: context.tool_call_card_id,
        after_execution: tool.after_execution,
        recursion_depth: row.depth,
        trace_id: row.trace_id,
        ...(row.parent_turn_id !== null && { parent_agent_turn_id: row.parent_turn_id }),
        ...(row.parent_step_id !== null && { parent_step_id: row.parent_step_id }),
      });
    const is_answered = wait_status !== "waiting";
    return {
      status: "suspended",
      is_answered,
      ...(deadline_at !== null && { deadline: new Date(deadline_at).toISOString() }),
    };
  });
}
