// The order in which the branches of a batch with a policy arrived: counted under the lock of the batch's row, so that every look
// sees the same order. A branch arrives when it has ended and has no attempts left; one that is retried has not arrived.

import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import { BATCH_COLUMNS, type BatchRow, batchFrame } from "./batch-row";
import type { Branch, Standing } from "./read-standing";

/** Indexes of tasks: those that had arrived keep their places, new ones follow in the order of their ends, then of the tasks. */
export function arrivalsOf({ batch, branches }: Standing, again: readonly Branch[]): number[] {
  if (batch.policy === null) return [];
  const ended = branches.filter((branch) => !again.includes(branch) && !isOpen(branch));
  const there = new Set(ended.map(({ task_index }) => task_index));
  const before = batch.arrivals.filter((i) => there.has(i));
  const fresh = ended
    .filter(({ task_index }) => !before.includes(task_index))
    .toSorted((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at) || a.task_index - b.task_index);
  return [...before, ...fresh.map(({ task_index }) => task_index)];
}

const isOpen = (branch: Branch): boolean => {
  const status = branch.status;
  return status === "pending" || status === "dispatched";
};

const WRITE = `
  UPDATE state.pmo_batches SET arrivals = $3::int[], rev = rev + 1 WHERE project_id = $1 AND batch_id = $2 AND status = 'running'
  RETURNING ${columnsOf(BATCH_COLUMNS, "pmo_batches")}`;

/** The batch row is locked. Nothing is written where nothing arrived. */
export async function writeArrivals(unit: Unit, { batch }: Standing, arrivals: readonly number[]): Promise<void> {
  if (arrivals.join() === batch.arrivals.join()) return;
  const { project_id, batch_id } = batch;
  const [row] = await unit.query<BatchRow>("batch_arrivals", WRITE, [project_id, batch_id, [...arrivals]]);
  if (!row) throw new Error(`batch ${batch_id} was locked and its arrivals could not be written`);
  unit.frame(project_id, batchFrame(row));
}
