// The current state of a batch, locked: its row before all other locks (K17), then its branches, each as its turn says.

import { columnsOf } from "../columns";
import { keptSql } from "../inbox/who-serves";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { BATCH_COLUMNS, type BatchRow, type BatchTaskRow, TASK_COLUMNS } from "./batch-row";

export type Branch = BatchTaskRow;
export type Standing = {
  batch: BatchRow & { is_overdue: boolean; is_gate_due: boolean; parent_is_human: boolean; is_awaited: boolean };
  branches: Branch[];
  /** Locked; null if it is gone. */
  parent: Parent | null;
};
export type Parent = Pick<TurnRow, "agent_turn_id" | "status" | "worker_target" | "needs_own_worker"> & {
  /** For workers that ask for its target by name. */
  is_kept: boolean;
};

const LOCK = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, coalesce(b.deadline_at <= now(), false) AS is_overdue,
    coalesce(b.gate_at <= now(), false) AS is_gate_due,
    (SELECT t.is_human FROM state.agent_turns t WHERE t.project_id = b.project_id AND t.agent_turn_id = b.parent_agent_turn_id) AS parent_is_human,
    EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = b.project_id AND w.agent_turn_id = b.parent_agent_turn_id
      AND w.tool_call_id = b.parent_tool_call_id AND w.wait_status = 'waiting') AS is_awaited
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = $2 AND b.status = 'running' FOR UPDATE`;

// A separate statement after the lock, so that it sees what ended while it waited. The view looks turns up key by key: planned on
// empty tables, a join read every row for every branch, a quarter of a second each time.
const BRANCHES = `
  SELECT ${columnsOf(TASK_COLUMNS, "k")} FROM state.pmo_batch_tasks k
  WHERE k.project_id = $1 AND k.batch_id = $2 ORDER BY k.task_index`;

// Whoever settles may wake or end the turn that waits: it comes after the batch, as everywhere.
const PARENT = `
  SELECT agent_turn_id, status, worker_target, needs_own_worker, ${keptSql("t.worker_target", "t.project_id", "$3")} AS is_kept
  FROM state.agent_turns t WHERE t.project_id = $1
    AND t.agent_turn_id = (SELECT parent_agent_turn_id FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2) FOR UPDATE OF t`;

type Asked = { project_id: string; batch_id: string };

/** Null if it does not exist or has ended. */
export async function lockStanding(unit: Unit, input: Asked): Promise<Standing | null> {
  const [[batch], [parent], branches] = await Promise.all([
    unit.query<Standing["batch"]>("batch_lock", LOCK, [input.project_id, input.batch_id]),
    unit.query<Parent>("batch_parent_lock", PARENT, [
      input.project_id,
      input.batch_id,
      unit.kernel.tunables.workerSeenMsMax,
    ]),
    readBranches(unit, input),
  ]);
  return batch ? { batch, branches, parent: parent ?? null } : null;
}

export async function readBranches(unit: Unit, input: Asked): Promise<Branch[]> {
  return unit.query<Branch>("batch_branches", BRANCHES, [input.project_id, input.batch_id]);
}
