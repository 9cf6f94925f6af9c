// Who a plan's wagons are started for: the parent turn of its run, which is a person's or an agent's that waits. Its policy,
// boxes and depth bind every wagon (K23).
import { columnsOf } from "../columns";
import type { Caller } from "../delegation/caller";
import { readBodies } from "../roster/read-bodies";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { PlanRunRow } from "./plan-row";

// Not locked: what ends the parent takes the plan run's row first, and the caller holds that.
const PARENT = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, (SELECT w.step_id FROM state.turn_waiting_tools w
    WHERE w.project_id = $1 AND w.agent_turn_id = $2 AND w.tool_call_id = $3) AS waiting_step_id
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

export async function callerOf(
  unit: Unit,
  run: Pick<PlanRunRow, "project_id" | "parent_turn_id" | "parent_tool_call_id">,
): Promise<Caller> {
  const { project_id, parent_turn_id, parent_tool_call_id } = run;
  const [row] = await unit.query<TurnRow & { waiting_step_id: string | null }>("plan_parent", PARENT, [
    project_id,
    parent_turn_id,
    parent_tool_call_id,
  ]);
  if (!row) throw new Error(`turn ${parent_turn_id} launched a plan and is gone`);
  const { waiting_step_id, ...turn } = row;
  if (turn.is_human) return { turn, is_human: true, body: null };
  const bodies = await readBodies(unit, { project_id, profile_box_ids: [turn.profile_box_id] });
  return {
    turn,
    is_human: false,
    body: bodies.get(turn.profile_box_id) ?? null,
    step_id: waiting_step_id ?? undefined,
  };
}
