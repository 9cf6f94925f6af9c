// Holds a node until a person lets it start: one request in the inbox, on the turn that the plan runs for. Nothing is packed yet.

import type { PlanAct } from "@/server/contract/plan/decide-plan";
import type { PlanNode } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import type { Unit } from "../unit";
import type { PlanStanding } from "./lock-plan";
import type { PlanNodeRow } from "./plan-row";
import { moveNodes } from "./write-nodes";

export const LAUNCH_PLAN = "launch_plan";

// Once for each try and each reason to hold it.
const HOLD = `
  INSERT INTO state.human_requests (project_id, request_id, kind, agent_id, agent_turn_id, root_turn_id, turn_epoch, tool_call_id,
    tool_name, question, arguments, deadline_at)
  SELECT $1, $2, 'plan_hold', t.agent_id, t.agent_turn_id, t.root_turn_id, t.turn_epoch, $4, $5, $6::jsonb, $7::jsonb, $8
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $3
  RETURNING ${columnsOf(REQUEST_COLUMNS, "human_requests")}`;

type Hold = Pick<Extract<PlanAct, { act: "hold" }>, "reason" | "limit">;

export async function holdNode(
  unit: Unit,
  standing: PlanStanding,
  node: PlanNode,
  { reason, limit }: Hold,
): Promise<PlanNodeRow[]> {
  const { run, plan, nodes } = standing;
  const attempt = nodes.get(node.id)?.try ?? 1;
  const request_id = unit.kernel.newId("hr_");
  const question = { question: `Start ${nameOf(node)}?`, details: reason };
  const [request] = await unit.query<HumanRequestRow>("plan_hold", HOLD, [
    run.project_id,
    request_id,
    run.parent_turn_id,
    `${run.plan_run_id}-${node.id}-${attempt}-${request_id}`.slice(-128),
    LAUNCH_PLAN,
    JSON.stringify(question),
    JSON.stringify({
      plan_run_id: run.plan_run_id,
      node_id: node.id,
      try: attempt,
      plan: plan.name,
      reason,
      ...(limit !== null && { limit }),
    }),
    run.deadline_at,
  ]);
  if (!request) throw new Error(`turn ${run.parent_turn_id} launched a plan and is gone`);
  unit.frame(run.project_id, humanRequestFrame(request));
  const held = { node_id: node.id, status: "held" as const, reason, request_id, is_released: false };
  return moveNodes(unit, run, [held], { wakes: false });
}
