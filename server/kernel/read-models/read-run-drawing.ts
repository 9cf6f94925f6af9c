// A plan run in the places where it was drawn. Read again when frames say that something of it has changed.
import { KernelError } from "@/server/contract/errors";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { listPlanRuns, readPlanRun } from "../plan/read-plan-runs";
import { read } from "../reader";

// Of several tries of a task the newest turn; a node's tries are batches of their own.
const TURNS = `
  SELECT DISTINCT ON (b.plan_node_id, k.task_index) b.plan_node_id, k.task_index, t.agent_turn_id, t.headcode, t.status, t.note, t.error,
    t.context_consist, t.context_tokens, t.output_consist, t.output_tokens, t.window_tokens, t.started_at, t.ended_at
  FROM state.pmo_batches b
  JOIN state.pmo_batch_tasks k ON k.project_id = b.project_id AND k.batch_id = b.batch_id
  JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
  WHERE b.project_id = $1 AND b.plan_run_id = $2
  ORDER BY b.plan_node_id, k.task_index, b.plan_try DESC, t.created_at DESC`;
const NUMBER = "SELECT number FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";

type Row = {
  plan_node_id: string;
  task_index: number;
  agent_turn_id: string;
  headcode: string;
  status: PlaceTurn["status"];
  note: string | null;
  error: string | null;
  context_consist: string;
  context_tokens: number;
  output_consist: string;
  output_tokens: number;
  window_tokens: number | null;
  started_at: string | null;
  ended_at: string | null;
};

/** The plan that a person launched as this run. not_found for a run without one, and for one of another project. */
export async function readRunDrawing(
  kernel: Kernel,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<RunDrawing> {
  // Before what it is the cursor of: what changes meanwhile comes again.
  const live_cursor = await readCursor(kernel, project_id);
  const runs = await listPlanRuns(kernel, { project_id, root_turn_id });
  const launched = runs.find(({ parent_turn_id }) => parent_turn_id === root_turn_id);
  if (!launched) throw new KernelError("not_found", `run ${root_turn_id} was launched as no plan`);
  const { plan_run_id } = launched;
  const [run, rows, numbers] = await Promise.all([
    readPlanRun(kernel, { project_id, plan_run_id }),
    read<Row>(kernel, "run_drawing_turns", TURNS, [project_id, plan_run_id]),
    read<{ number: number }>(kernel, "run_drawing_number", NUMBER, [project_id, root_turn_id]),
  ]);
  const byId = new Map(run.body.nodes.map((node) => [node.id, node]));
  const turns = rows.flatMap(
    ({ plan_node_id, task_index, note, error, window_tokens, started_at, ended_at, ...row }): PlaceTurn[] => {
      const node = byId.get(plan_node_id);
      const task = node?.kind === "fork" ? node.tasks[task_index] : undefined;
      // An edit may have taken the node away.
      if (!node || (node.kind === "fork" && !task)) return [];
      return [
        {
          ...row,
          place: task ? `${node.id}.${task.id}` : node.id,
          ...(note !== null && { note }),
          ...(error !== null && { error }),
          ...(window_tokens !== null && { window_tokens }),
          ...(started_at !== null && { started_at: new Date(started_at).toISOString() }),
          ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
        },
      ];
    },
  );
  return { run, run_number: numbers[0]?.number ?? 0, turns, live_cursor };
}
