// A tool behind a URL. That the turn waits for the call is written down before the service is asked: one that answers 202
// may report before its 202 has arrived. An answer at once takes the wait back; whoever answers first counts.

import { nowhere } from "@/server/contract/outbound";
import { type Tool, timeoutOf } from "@/server/contract/tool";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn } from "../turns/lock-turn";
import { withUnit } from "../unit";
import { callExternal } from "./call-external";
import { rejected, type ToolAnswer, type ToolContext, type ToolLater, type ToolWait } from "./inline-tool";
import { readHttpAnswer } from "./read-http-answer";
import { type HttpReply, sendHttp } from "./send-http";
import { traceparentOf } from "./traceparent";

export async function callHttp(
  context: ToolContext,
  tool: Tool,
  args: unknown,
): Promise<ToolLater | ToolWait | Fenced> {
  const wait = await callExternal(context, tool);
  // Reported to a worker that was lost before it could sleep: the service is not asked for it again.
  if (isFenced(wait) || wait.is_answered) return wait;
  // Kept, so that a database that goes away in between does not make the call twice.
  let reply: Promise<HttpReply> | undefined;
  return {
    status: "later",
    go: async (signal) => {
      reply ??= send(context, tool, args, signal);
      const answer = answerOf(await reply, tool);
      return answer === null ? sleepOn(context, tool, wait) : settle(context, answer, wait);
    },
  };
}

function send(context: ToolContext, tool: Tool, args: unknown, signal: AbortSignal | undefined): Promise<HttpReply> {
  const { kernel, turn, tool_call_id } = context;
  const { project_id, agent_turn_id, agent_id, trace_id } = turn;
  const { tool_name, target_subject, options } = tool;
  return sendHttp({
    url: target_subject ?? "",
    given: (options.headers ?? {}) as Record<string, unknown>,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/*;q=0.9",
      "idempotency-key": tool_call_id,
      ...traceparentOf(trace_id, tool_call_id),
    },
    body: JSON.stringify({ tool_name, arguments: args, tool_call_id, agent_turn_id, agent_id, project_id }),
    timeoutMs: timeoutOf(options) ?? kernel.tunables.toolTimeoutMs,
    bytesMax: kernel.tunables.jsonBytesMax,
    outbound: kernel.outbound ?? nowhere,
    signal,
  });
}

function answerOf(reply: HttpReply, tool: Tool): ToolAnswer | null {
  // What never reached the service was not executed, and is the model's to read; one that was silent until its time was over
  // counts as the tool's own answer, as when it had said 202.
  if ("refusal" in reply) {
    const { code, message } = reply.refusal;
    const ends = code === "tool_timeout" && tool.after_execution === "terminate";
    return { ...rejected(code, message), ...(ends && { after_execution: "terminate" as const }) };
  }
  return readHttpAnswer(reply, tool.after_execution);
}

const LONGER = `
  UPDATE state.turn_waiting_tools SET deadline_at = greatest(deadline_at, now() + $4 * interval '1 ms'), updated_at = now()
  WHERE project_id = $1 AND agent_turn_id = $2 AND tool_call_id = $3 AND wait_status = 'waiting'
  RETURNING deadline_at`;

/** It reports later, and has its time from now: the wait was written down before others were asked, or by another worker. */
async function sleepOn(
  { kernel, turn, tool_call_id }: ToolContext,
  tool: Tool,
  wait: ToolWait,
): Promise<ToolWait | Fenced> {
  const { project_id, agent_turn_id, turn_epoch } = turn;
  const timeoutMs = timeoutOf(tool.options) ?? kernel.tunables.toolTimeoutMs;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { project_id, agent_turn_id, turn_epoch, statuses: ["running"], what: "wait" });
    if (isFenced(row)) return row;
    const ids = [project_id, agent_turn_id, tool_call_id, timeoutMs];
    const [longer] = await unit.query<{ deadline_at: string }>("wait_longer", LONGER, ids);
    return longer ? { ...wait, deadline: new Date(longer.deadline_at).toISOString() } : wait;
  });
}

const TAKE_BACK = `
  WITH gone AS (
    DELETE FROM state.turn_waiting_tools
    WHERE project_id = $1 AND agent_turn_id = $2 AND tool_call_id = $3 AND wait_status = 'waiting'
  )
  SELECT count(*)::int AS answered FROM state.turn_waiting_tools
  WHERE project_id = $1 AND agent_turn_id = $2 AND tool_call_id = $3 AND wait_status <> 'waiting'`;

/** A report, or the end of the tool's time, may have been quicker: then that is the result. */
async function settle(
  { kernel, turn, tool_call_id }: ToolContext,
  answer: ToolAnswer,
  wait: ToolWait,
): Promise<ToolAnswer | ToolWait | Fenced> {
  const { project_id, agent_turn_id, turn_epoch } = turn;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { project_id, agent_turn_id, turn_epoch, statuses: ["running"], what: "result" });
    if (isFenced(row)) return row;
    const [found] = await unit.query<{ answered: number }>("wait_take_back", TAKE_BACK, [
      project_id,
      agent_turn_id,
      tool_call_id,
    ]);
    return found && found.answered > 0 ? wait : answer;
  });
}
