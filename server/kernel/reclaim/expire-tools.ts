// Calls whose time is over: the turn that waits gets a `timeout` result for that call and decides for itself what to do.
// A call that a running batch or plan run answers is theirs: after an outage it would else wake its parent without the join, and
// they could never end (K7). What people are asked ends with its request (expire-requests.ts).
// A call of a URL is made by the turn itself as long as it does not sleep, maybe after eight others, maybe for a worker that
// was lost: its request has a time of its own, and the answer was void when this one ran out before.

import { postResults } from "../inbox/post-results";
import type { Kernel } from "../kernel";
import { holdTurn } from "../turns/hold-turns";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

type Overdue = WatchedRow & { agent_turn_id: string; tool_call_id: string; tool_name: string };

const OVERDUE = `
  SELECT w.project_id, w.agent_turn_id, w.tool_call_id, w.tool_name, ${rowKey("w.tool_call_id")}
  FROM state.turn_waiting_tools w ${failureJoin("expire-tools", "w.project_id", "w.tool_call_id")}
  WHERE ${IS_TRIED} AND w.wait_status = 'waiting' AND w.deadline_at < now() AND w.tool_name <> 'ask_human' AND NOT EXISTS (SELECT 1 FROM state.pmo_batches b
    WHERE b.project_id = w.project_id AND b.parent_tool_call_id = w.tool_call_id AND b.status = 'running')
    AND NOT EXISTS (SELECT 1 FROM state.plan_runs r
      WHERE r.project_id = w.project_id AND r.parent_turn_id = w.agent_turn_id AND r.parent_tool_call_id = w.tool_call_id
        AND r.status = 'running')
    AND NOT EXISTS (SELECT 1 FROM state.agent_turns u JOIN resource.tools t ON t.project_id = u.project_id
      WHERE u.project_id = w.project_id AND u.agent_turn_id = w.agent_turn_id AND u.status IN ('dispatched', 'running')
        AND t.tool_name = w.tool_name AND t.target_subject ~* '^https?://')
  ORDER BY ${inTurn("w.project_id", "w.deadline_at")} LIMIT ${LIST_MAX}`;

type Still = { step_id: string | null; seconds: number; after_execution: "suspend" | "terminate" };

// Locked separately before it is checked: the result may be arriving at this moment.
const STILL = `
  SELECT w.step_id, extract(epoch FROM w.deadline_at - w.created_at)::float AS seconds, coalesce((SELECT t.after_execution
    FROM resource.tools t WHERE t.project_id = w.project_id AND t.tool_name = w.tool_name), 'suspend') AS after_execution
  FROM state.turn_waiting_tools w
  WHERE w.project_id = $1 AND w.agent_turn_id = $2 AND w.tool_call_id = $3 AND w.wait_status = 'waiting' AND w.deadline_at < now()
  FOR UPDATE`;

/** Returns how many calls were given up. */
export async function expireTools(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<Overdue>({ name: "reclaim_overdue", text: OVERDUE });
  const due = { rule: "expire-tools", rows, isWhole: rows.length < LIST_MAX } as const;
  return eachRow(kernel, due, (overdue, brief) => expireOne(brief, overdue));
}

async function expireOne(kernel: Kernel, call: Overdue): Promise<boolean> {
  const { project_id, agent_turn_id, tool_call_id, tool_name } = call;
  return withUnit(kernel, async (unit) => {
    await holdTurn(unit, { project_id, agent_turn_id });
    const [still] = await unit.query<Still>("expire_still", STILL, [project_id, agent_turn_id, tool_call_id]);
    if (!still) return false;
    const seconds = Math.round(still.seconds * 10) / 10;
    const posted = await postResults(unit, {
      project_id,
      results: [
        {
          agent_turn_id,
          tool_call_id,
          message_type: "timeout",
          author_id: "worker.watchdog",
          content: {
            kind: "tool_result",
            status: "timeout",
            after_execution: still.after_execution,
            error: { code: "tool_timeout", message: `${tool_name} did not answer within ${seconds} s` },
          },
          metadata: { function_name: tool_name, ...(still.step_id !== null && { step_id: still.step_id }) },
        },
      ],
    });
    return posted.size > 0;
  });
}
