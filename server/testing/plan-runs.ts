// Plans for tests, launched and ended by hand: the test says how each wagon ends.
import type { CardContent } from "@/server/contract/card";
import type { LaunchPlanResult } from "@/server/contract/plan/plan-record";
import type { PlanNodeStatus } from "@/server/contract/plan/plan-run";
import type { EndStatus } from "@/server/contract/turn";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import type { PlanNodeRow, PlanRunRow } from "@/server/kernel/plan/plan-row";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";

export type LaunchedRun = LaunchPlanResult & { root_turn_id: string };

export const planBody = (nodes: object[], more: object = {}) => ({
  switchyard: "plan/1",
  name: "Test",
  nodes,
  ...more,
});
export const wagon = (id: string, more: object = {}) => ({
  id,
  target: { ref: "Plain" },
  instruction: `Do ${id}`,
  ...more,
});

export function plansOf(kernel: () => Kernel, project_id: string) {
  const rows = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await kernel().db.pool.query(text, [project_id, ...values])).rows as R[];
  const nodesOf = async (plan_run_id: string): Promise<Record<string, PlanNodeRow>> =>
    Object.fromEntries(
      (
        await rows<PlanNodeRow>("SELECT * FROM state.plan_run_nodes WHERE project_id = $1 AND plan_run_id = $2", [
          plan_run_id,
        ])
      ).map((row) => [row.node_id, row]),
    );
  return {
    rows,
    launchPlan: async (body: unknown, more: object = {}, input: object = {}): Promise<LaunchedRun> => {
      const answer = await launch(kernel(), {
        project_id,
        tool: "launch_plan",
        user: "ann",
        args: { body, ...more },
        ...input,
      });
      if (!("plan_run_id" in answer.result)) throw new Error("a plan was launched");
      return { ...answer.result, root_turn_id: answer.root_turn_id };
    },
    nodesOf,
    /** Id -> status. */
    statuses: async (plan_run_id: string): Promise<Record<string, PlanNodeStatus>> =>
      Object.fromEntries(Object.entries(await nodesOf(plan_run_id)).map(([id, { status }]) => [id, status])),
    runOf: async (plan_run_id: string): Promise<PlanRunRow> => {
      const [row] = await rows<PlanRunRow>("SELECT * FROM state.plan_runs WHERE project_id = $1 AND plan_run_id = $2", [
        plan_run_id,
      ]);
      if (!row) throw new Error("no such plan run");
      return row;
    },
    /** Ends the wagon of a node, or the task of a fork. */
    endWagon: async (
      plan_run_id: string,
      node_id: string,
      status: EndStatus = "success",
      { task = 0, content }: { task?: number; content?: CardContent } = {},
      by: Kernel = kernel(),
    ): Promise<string> => {
      const [turn] = await rows<{ agent_turn_id: string; turn_epoch: number }>(
        `SELECT t.agent_turn_id, t.turn_epoch FROM state.plan_run_nodes n JOIN state.pmo_batch_tasks k USING (project_id, batch_id)
         JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
         WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = $3 AND k.task_index = $4`,
        [plan_run_id, node_id, task],
      );
      if (!turn) throw new Error(`node ${node_id} has no turn ${task}`);
      const at = { project_id, ...turn, worker_id: "w" };
      const started = await startTurn(by, at);
      if (isFenced(started)) throw new Error("the turn could not be started");
      const delivered = await deliverTurn(by, {
        ...at,
        status,
        content: content ?? { kind: "text", text: `result of ${node_id}.${task}` },
      });
      if (isFenced(delivered)) throw new Error("the turn could not deliver");
      return turn.agent_turn_id;
    },
  };
}
