// The current state of a batch, locked: its row before all other locks (K17), then its branches, each as its turn says.

import { columnsOf } from "../columns";
import { keptSql } from "../inbox/who-serves";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { BATCH_COLUMNS, type BatchRow, type BatchTaskRow } from "./batch-row";

const BRANCH_COLUMNS = [
  "task_index",
  "agent_id",
  "agent_turn_id",
  "attempt_count",
  "attempts_max",
  "output_box_id",
  "error_detail",
  "result_view",
  "updated_at",
  "status",
] as const satisfies readonly (keyof BatchTaskRow)[];

/** What settling and joining read of a branch. */
export type Branch = Pick<BatchTaskRow, (typeof BRANCH_COLUMNS)[number]> & {
  /** Empty unless `attempts_max` is more than 1: only retries read it, and the view would put it together for every branch. */
  metadata: Pick<BatchTaskRow["metadata"], "earlier">;
};
export type Standing = {
  batch: BatchRow & { is_overdue: boolean; is_gate_due: boolean; parent_is_human: boolean; is_awaited: boolean };
  branches: Branch[];
  /** Locked; null if it is gone. */
  parent: Parent | null;
};
export type Parent = TurnRow & {
  /** For workers that ask for its target by name. */
  is_kept: boolean;
};

/** Columns of `pmo_batches b` that a Standing has of its batch. */
export const STANDING_BATCH = `${columnsOf(BATCH_COLUMNS, "b")}, coalesce(b.deadline_at <= now(), false) AS is_overdue,
    coalesce(b.gate_at <= now(), false) AS is_gate_due,
    (SELECT t.is_human FROM state.agent_turns t WHERE t.project_id = b.project_id AND t.agent_turn_id = b.parent_agent_turn_id) AS parent_is_human,
    EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = b.project_id AND w.agent_turn_id = b.parent_agent_turn_id
      AND w.tool_call_id = b.parent_tool_call_id AND w.wait_status = 'waiting') AS is_awaited`;

const LOCK = `
  SELECT ${STANDING_BATCH}
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = $2 AND b.status = 'running' FOR UPDATE`;

// A separate statement after the lock, so that it sees what ended while it waited. The view looks turns up key by key: planned on
// empty tables, a join read every row for every branch, a quarter of a second each time.
export const branchesSql = (batch: string) => `
  SELECT ${columnsOf(BRANCH_COLUMNS, "k")}, CASE WHEN k.attempts_max > 1 THEN k.metadata ELSE '{}' END AS metadata FROM state.pmo_batch_tasks k
  WHERE k.project_id = $1 AND k.batch_id = ${batch} ORDER BY k.task_index`;
const BRANCHES = branchesSql("$2");

// Whoever settles may wake or end the turn that waits: it comes after the batch, as everywhere.
const PARENT = `
  SELECT ${keptSql("t.worker_target", "t.project_id", "$3")} AS is_kept, ${columnsOf(TURN_COLUMNS, "t")}
  FROM state.agent_turns t WHERE t.project_id = $1
    AND t.agent_turn_id = (SELECT parent_agent_turn_id FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2) FOR UPDATE OF t`;

type Asked = { project_id: string; batch_id: string };

/** Null if it does not exist or has ended. `locked`: the batch's own row, where a statement before had it. */
export async function lockStanding(unit: Unit, input: Asked, locked?: Standing["batch"]): Promise<Standing | null> {
  const { workerSeenMsMax } = unit.kernel.tunables;
  const [[batch], [parent], branches] = await Promise.all([
    locked ? [locked] : unit.query<Standing["batch"]>("batch_lock", LOCK, [input.project_id, input.batch_id]),
    unit.query<Parent>("batch_parent_lock", PARENT, [input.project_id, input.batch_id, workerSeenMsMax]),
    readBranches(unit, input),
  ]);
  return batch ? { batch, branches, parent: parent ?? null } : null;
}

export async function readBranches(unit: Unit, input: Asked): Promise<Branch[]> {
  return unit.query<Branch>("batch_branches", BRANCHES, [input.project_id, input.batch_id]);
}
