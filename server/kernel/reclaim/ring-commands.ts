// A command may be lost on its way to its tool service: the bus was away, or the process died before it rang. A call that
// is still waited for is sent again, after 5, 10, 20 s and so on, until it is answered or its time is over. A report that
// its service is working on it counts as sent.
import type { CommandRing, Kernel } from "../kernel";
import { withUnit } from "../unit";
import { allOrEach, failureJoin, IS_TRIED, inTurn, LIST_MAX, neverFailed, rowKey, type WatchedRow } from "./each-row";

/** Of a wait `w`; $1: how long it is silent at first. */
const WAITS = `
    FROM state.turn_waiting_tools w
    JOIN resource.tools t ON t.project_id = w.project_id AND t.tool_name = w.tool_name AND t.target_subject !~ '^[A-Za-z][A-Za-z0-9+.-]*://'`;
const IS_SILENT = `w.wait_status = 'waiting' AND w.deadline_at > now() AND w.step_id IS NOT NULL
      AND now() - w.updated_at > greatest($1 * interval '1 ms', w.updated_at - w.created_at)`;

const againSql = (which: string) => `
  WITH due AS (
    SELECT w.project_id, w.agent_turn_id, w.tool_call_id, first.target_subject, first.after_execution FROM (
      SELECT w.project_id, w.agent_turn_id, w.tool_call_id, t.target_subject, t.after_execution ${WAITS}
      WHERE ${IS_SILENT} AND ${which}
      ORDER BY row_number() OVER (PARTITION BY w.project_id ORDER BY w.updated_at), w.updated_at LIMIT ${LIST_MAX}
    ) first JOIN state.turn_waiting_tools w USING (project_id, agent_turn_id, tool_call_id)
    WHERE ${IS_SILENT} FOR UPDATE OF w SKIP LOCKED
  )
  UPDATE state.turn_waiting_tools w SET updated_at = now()
  FROM due
  JOIN state.agent_turns a ON a.project_id = due.project_id AND a.agent_turn_id = due.agent_turn_id
  JOIN state.edge_extra e ON e.project_id = due.project_id AND e.correlation_id = due.tool_call_id
    AND e.primitive = 'tool_call' AND e.edge_phase = 'request'
  WHERE w.project_id = due.project_id AND w.agent_turn_id = due.agent_turn_id AND w.tool_call_id = due.tool_call_id
    AND e.metadata ? 'tool_call_card_id'
  RETURNING due.target_subject, due.after_execution, w.project_id, w.agent_id, w.agent_turn_id, w.turn_epoch, w.step_id,
    w.tool_call_id, w.tool_name, e.metadata ->> 'tool_call_card_id' AS tool_call_card_id, a.channel, a.trace_id,
    a.depth AS recursion_depth, a.parent_turn_id AS parent_agent_turn_id, a.parent_step_id`;
const AGAIN = againSql(neverFailed("ring-commands", "w.project_id", "w.tool_call_id"));
const AGAIN_ONE = againSql("w.project_id = $2 AND w.tool_call_id = $3");
const LIST = `
  SELECT w.project_id, ${rowKey("w.tool_call_id")} ${WAITS} ${failureJoin("ring-commands", "w.project_id", "w.tool_call_id")}
  WHERE ${IS_SILENT} AND ${IS_TRIED} AND (f.row_key IS NOT NULL OR NOT $2::boolean)
  ORDER BY ${inTurn("w.project_id", "w.updated_at")} LIMIT ${LIST_MAX}`;

type Row = Omit<CommandRing, "kind" | "parent_agent_turn_id" | "parent_step_id"> & {
  parent_agent_turn_id: string | null;
  parent_step_id: string | null;
};

/** Returns how many were sent again. */
export async function ringCommands(kernel: Kernel): Promise<number> {
  const { pendingRingMs } = kernel.tunables;
  return allOrEach<WatchedRow>(kernel, "ring-commands", {
    batch: (brief) => ringAgain(brief, "reclaim_commands", AGAIN, [pendingRingMs]),
    list: async (onlyFailing) =>
      (
        await kernel.db.pool.query<WatchedRow>({
          name: "reclaim_commands_list",
          text: LIST,
          values: [pendingRingMs, onlyFailing],
        })
      ).rows,
    one: ({ project_id, row_key }, brief) =>
      ringAgain(brief, "reclaim_commands_one", AGAIN_ONE, [pendingRingMs, project_id, row_key]),
  });
}

function ringAgain(kernel: Kernel, name: string, text: string, values: unknown[]): Promise<number> {
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<Row>(name, text, values);
    for (const { parent_agent_turn_id, parent_step_id, ...row } of rows)
      unit.ring({
        kind: "command",
        ...row,
        ...(parent_agent_turn_id !== null && { parent_agent_turn_id }),
        ...(parent_step_id !== null && { parent_step_id }),
      });
    return rows.length;
  });
}
