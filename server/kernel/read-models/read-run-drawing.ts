// A plan run in the places where it was drawn. Read again when frames say that something of it has changed.
import { KernelError } from "@/server/contract/errors";
import {
  ADDED_MAX,
  type AddedTurn,
  type PlaceTurn,
  type RunDrawing,
  type RunGate,
} from "@/server/contract/plan/run-drawing";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { listPlanRuns, readPlanRun } from "../plan/read-plan-runs";
import { type Reader, read } from "../reader";
import { readRunKin } from "./read-run-kin";

// Of several tries of a task the newest turn; a node's tries are batches of their own. A node that is replayed has the batch of the
// run that it takes its result from, a branch that is replayed has that branch's turn.
const TURNS = `
  SELECT DISTINCT ON (n.node_id, k.task_index) n.node_id, k.task_index, t.agent_turn_id, t.headcode, t.status, t.note, t.error,
    t.context_consist, t.context_tokens, t.output_consist, t.output_tokens, t.window_tokens, t.tokens_in, t.tokens_out,
    t.cost::float8 AS cost, t.started_at, t.ended_at, t.root_turn_id
  FROM state.plan_run_nodes n
  CROSS JOIN LATERAL (
    SELECT b.batch_id, b.plan_try FROM state.pmo_batches b
    WHERE b.project_id = $1 AND b.plan_run_id = $2 AND b.plan_node_id = n.node_id
    UNION ALL SELECT n.replays ->> 'batch_id', 0 WHERE n.status = 'replayed'
  ) b
  JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = b.batch_id
  JOIN state.agent_turns t ON t.project_id = $1
    AND t.agent_turn_id = coalesce(k.agent_turn_id, k.metadata #>> '{replays,agent_turn_id}')
  WHERE n.project_id = $1 AND n.plan_run_id = $2
  ORDER BY n.node_id, k.task_index, b.plan_try DESC NULLS LAST, t.created_at DESC`;

// Each batch by its key: joined, all batches of the project were read to look up those of one run.
const ADDED = `
  SELECT t.agent_turn_id, t.headcode, t.profile_name AS name, t.status, t.note, t.context_consist, t.output_consist, t.window_tokens,
    CASE WHEN p.is_human THEN NULL ELSE t.parent_turn_id END AS parent_turn_id
  FROM state.agent_turns t
  LEFT JOIN state.agent_turns p ON p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id
  LEFT JOIN LATERAL (SELECT b.plan_run_id FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = t.batch_id OFFSET 0) b ON true
  WHERE t.project_id = $1 AND t.root_turn_id = $2 AND NOT t.is_human AND b.plan_run_id IS DISTINCT FROM $3
  ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${ADDED_MAX}`;

const GATES = `
  SELECT DISTINCT ON (b.plan_node_id) b.plan_node_id AS node_id, b.batch_id, b.arrivals, b.late FROM state.pmo_batches b
  WHERE b.project_id = $1 AND b.plan_run_id = $2 AND b.policy IS NOT NULL
  ORDER BY b.plan_node_id, b.plan_try DESC NULLS LAST, b.batch_id`;

type GateRow = { node_id: string; batch_id: string; arrivals: number[]; late: number[] };
type Row = {
  node_id: string;
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
  tokens_in: number;
  tokens_out: number;
  cost: number | null;
  started_at: string | null;
  ended_at: string | null;
  root_turn_id: string;
};
type AddedRow = Omit<AddedTurn, "note" | "window_tokens" | "caller_turn_id"> & {
  note: string | null;
  window_tokens: number | null;
  parent_turn_id: string | null;
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
  const key = { project_id, plan_run_id: launched.plan_run_id };
  const [run, rows, gateRows, added, kin] = await Promise.all([
    readPlanRun(kernel, key),
    read<Row>(kernel, "run_drawing_turns", TURNS, [project_id, key.plan_run_id]),
    read<GateRow>(kernel, "run_drawing_gates", GATES, [project_id, key.plan_run_id]),
    readAdded(kernel, { ...key, root_turn_id }),
    readRunKin(kernel, key),
  ]);
  const { numbers, ...named } = kin;
  const byId = new Map(run.body.nodes.map((node) => [node.id, node]));
  const turns = rows.flatMap((row): PlaceTurn[] => {
    const node = byId.get(row.node_id);
    const task = node?.kind === "fork" ? node.tasks[row.task_index] : undefined;
    // An edit may have taken the node away.
    if (!node || (node.kind === "fork" && !task)) return [];
    const as_in_run = row.root_turn_id === root_turn_id ? undefined : numbers.get(row.root_turn_id);
    return [{ ...turnOf(row), place: task ? `${node.id}.${task.id}` : node.id, ...(as_in_run && { as_in_run }) }];
  });
  const gates = gateRows.flatMap(({ arrivals, late, ...gate }): RunGate[] => {
    const node = byId.get(gate.node_id);
    if (node?.kind !== "fork") return [];
    const placesOf = (indexes: readonly number[]) =>
      indexes.flatMap((index) => (node.tasks[index] ? `${node.id}.${node.tasks[index].id}` : []));
    return [{ ...gate, arrivals: placesOf(arrivals), late: placesOf(late) }];
  });
  return { run, turns, gates, added, ...named, live_cursor };
}

function turnOf(row: Row): Omit<PlaceTurn, "place" | "as_in_run"> {
  const { node_id: _node, task_index: _task, root_turn_id: _root, ...turn } = row;
  const { note, error, window_tokens, cost, started_at, ended_at, ...rest } = turn;
  return {
    ...rest,
    ...(note !== null && { note }),
    ...(error !== null && { error }),
    ...(window_tokens !== null && { window_tokens }),
    ...(cost !== null && { cost }),
    ...(started_at !== null && { started_at: new Date(started_at).toISOString() }),
    ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
  };
}

async function readAdded(
  reader: Reader,
  key: { project_id: string; root_turn_id: string; plan_run_id: string },
): Promise<AddedTurn[]> {
  const rows = await read<AddedRow>(reader, "run_drawing_added", ADDED, [
    key.project_id,
    key.root_turn_id,
    key.plan_run_id,
  ]);
  return rows.map(({ note, window_tokens, parent_turn_id, ...turn }) => ({
    ...turn,
    ...(note !== null && { note }),
    ...(window_tokens !== null && { window_tokens }),
    ...(parent_turn_id !== null && { caller_turn_id: parent_turn_id }),
  }));
}
