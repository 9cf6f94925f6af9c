// Calls of tools that answer later, made by hand for a running turn, as a tool service and a worker would.
import { claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { type Report, reportResult } from "@/server/kernel/inbox/report-result";
import type { Kernel } from "@/server/kernel/kernel";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { callTool } from "@/server/kernel/tools/call-tool";
import { beginStep } from "@/server/kernel/turns/begin-step";
import { isFenced } from "@/server/kernel/turns/fenced";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import type { Running } from "./callers";
import type { InboxRow } from "./forks";

export type CalledTool = { tool_call_id: string; step_id: string; mode: "suspend" | "inline"; deadline?: string };

export function callsOf(kernel: () => Kernel, project_id: string) {
  let calls = 0;
  return {
    saveTool: (tool_name: string, more: object = {}) =>
      saveTool(kernel(), { project_id, tool: { tool_name, ...more } }),
    /** The turn calls the tool in a step of its own. */
    call: async (
      turn: Running,
      tool_name: string,
      args: object = {},
      client_call_id = `call_${++calls}`,
    ): Promise<CalledTool> => {
      const step = await beginStep(kernel(), {
        ...turn,
        request: { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 },
      });
      if (isFenced(step)) throw new Error("the turn was fenced");
      const { step_id } = step;
      const answer = await callTool(kernel(), {
        ...turn,
        step_id,
        tool_name,
        arguments: args as never,
        client_call_id,
      });
      if (isFenced(answer)) throw new Error("the call was fenced");
      return { ...answer, step_id } as CalledTool;
    },
    report: (tool_call_id: string, report: Partial<Report> = {}) =>
      reportResult(kernel(), { project_id, tool_call_id, status: "success", result: "fine", ...report }),
    /** Message of a call's result or timeout. */
    rowOf: async (tool_call_id: string, message_type = "tool_result"): Promise<InboxRow | undefined> =>
      (
        await kernel().db.pool.query<InboxRow>(
          "SELECT * FROM state.agent_inbox WHERE project_id = $1 AND correlation_id = $2 AND message_type = $3",
          [project_id, tool_call_id, message_type],
        )
      ).rows[0],
    claim: (worker_id = "w") => claimInbox(kernel(), { project_id, worker_targets: ["*"], worker_id, limit: 16 }),
    resume: async (
      turn: Pick<Running, "agent_turn_id">,
      row: Pick<InboxRow, "inbox_id"> | undefined,
      worker_id = "w",
    ) => {
      const resumed = await resumeTurn(kernel(), {
        project_id,
        agent_turn_id: turn.agent_turn_id,
        inbox_id: row?.inbox_id ?? "none",
        worker_id,
      });
      if (resumed === null) throw new Error("there is no such row");
      return resumed;
    },
    waitOf: async (tool_call_id: string) =>
      (
        await kernel().db.pool.query<{ wait_status: string; deadline_at: string | null; turn_epoch: number }>(
          "SELECT * FROM state.turn_waiting_tools WHERE project_id = $1 AND tool_call_id = $2",
          [project_id, tool_call_id],
        )
      ).rows[0],
    /** Backdates the call so that its timeout has passed. */
    expireNow: (tool_call_id: string) =>
      kernel().db.pool.query(
        `UPDATE state.turn_waiting_tools SET deadline_at = now() - interval '1 s', created_at = created_at - (deadline_at - now()) - interval '1 s'
         WHERE tool_call_id = $1`,
        [tool_call_id],
      ),
  };
}
