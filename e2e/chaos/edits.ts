// People who edit runs of plans while they run: a wagon that has not started gets other words, is held, or is taken away, and a new one
// is added behind it. Which of them has started meanwhile is refused, and so is an edit whose first answer was lost.
import { KernelError } from "@/server/contract/errors";
import type { PlanOpInput } from "@/server/contract/plan/op";
import type { Kernel } from "@/server/kernel/kernel";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { again, type Doors, throughAnyDoor } from "./door";
import type { Random } from "./random";

export type EditedPlans = Doors & {
  kernel: Kernel;
  said: { edits: number; edits_refused: number };
  promised: { edits: { project_id: string; plan_run_id: string; reason: string }[] };
};

type Open = { project_id: string; plan_run_id: string; body_rev: number; node_id: string };

const OPEN = `
  SELECT r.project_id, r.plan_run_id, r.body_rev::int AS body_rev, n.node_id FROM state.plan_runs r
  JOIN state.plan_run_nodes n USING (project_id, plan_run_id)
  WHERE r.status = 'running' AND n.status IN ('waiting', 'held') ORDER BY r.plan_run_id, n.node_id LIMIT 400`;

const expected = new Set(["conflict", "packed", "invalid_plan", "bad_request"]);

export async function editOne(state: EditedPlans, random: Random): Promise<void> {
  const { kernel, said, promised } = state;
  const { rows } = await again(() => kernel.db.pool.query<Open>(OPEN));
  const [at, draw] = [random.next(), random.next()];
  const open = rows[Math.floor(at * rows.length)];
  if (!open) return;
  const { project_id, plan_run_id, body_rev, node_id } = open;
  const n = said.edits + said.edits_refused + 1;
  const edit = { body_rev, ops: opsFor(draw, node_id, n), reason: `edit ${n}` };
  try {
    await throughAnyDoor<unknown>(state, {
      path: `/projects/${project_id}/plan-runs/${plan_run_id}:edit`,
      body: { ...edit, user: "ann" },
      verb: () => editPlanRun(kernel, { project_id, plan_run_id, ...edit, by: "ann" }),
    });
    said.edits++;
    promised.edits.push({ project_id, plan_run_id, reason: edit.reason });
  } catch (error) {
    if (!(error instanceof KernelError) || !expected.has(error.code)) throw error;
    said.edits_refused++;
  }
}

function opsFor(draw: number, node: string, n: number): PlanOpInput[] {
  if (draw < 0.4) return [{ op: "set", node, path: "/title", value: `Edited ${n}` }];
  if (draw < 0.5) return [{ op: "set", node, path: "/hold", value: true }];
  if (draw < 0.6) return [{ op: "remove_node", node }];
  const added = {
    id: `added${n}`,
    kind: "wagon" as const,
    target: { ref: "Plan_Quick" },
    instruction: `added by edit ${n}`,
    after: [{ node, on: "ended" as const }],
  };
  return [{ op: "add_node", node: added } as PlanOpInput];
}
