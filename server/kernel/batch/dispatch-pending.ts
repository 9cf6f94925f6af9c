// Branches held back by max_parallel get their turns as others end. A temporary failure is retried after 2, 4, 8, 16 s; a
// refusal fails at once. Either way the batch continues.
import { KernelError } from "@/server/contract/errors";
import { columnsOf } from "../columns";
import { takeHeadcodes } from "../delegation/take-headcodes";
import type { Kernel } from "../kernel";
import { isPassing } from "../storage-error";
import { enqueueTurns } from "../turns/enqueue-turns";
import { lockHeads } from "../turns/lock-heads";
import type { NewTurn } from "../turns/new-turn";
import { type Unit, withUnit } from "../unit";
import {
  BATCH_COLUMNS,
  type BatchKey,
  type BatchRow,
  type BatchTaskRow,
  batchTaskFrame,
  OF_TURN,
  TASK_COLUMNS,
} from "./batch-row";

const LOCK = `SELECT ${columnsOf(BATCH_COLUMNS, "pmo_batches")} FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2 AND status = 'running' FOR UPDATE`;

// Only as many as there is room for, in task_index order; a retry waits until it is due.
const TAKE = `
  SELECT ${columnsOf(TASK_COLUMNS, "k")} FROM state.branch_extra k
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.status = 'pending' AND (k.next_retry_at IS NULL OR k.next_retry_at <= now())
    AND ($4::text IS NULL OR k.batch_task_id = $4)
  ORDER BY k.task_index
  LIMIT greatest(0, $3::int - (SELECT count(*)::int FROM state.pmo_batch_tasks d
    WHERE d.project_id = $1 AND d.batch_id = $2 AND d.status = 'dispatched'))`;

// From here on the branch is its turn, and its row keeps what the turn does not say.
const DISPATCHED = `
  WITH given AS (
    SELECT g.task_index, g.agent_turn_id FROM jsonb_to_recordset($3::jsonb) AS g(task_index int, agent_turn_id text)
  ), batch AS (
    UPDATE state.pmo_batches b SET turns = ARRAY(SELECT coalesce(g.agent_turn_id, u.agent_turn_id)
      FROM unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n) LEFT JOIN given g ON g.task_index = u.n - 1 ORDER BY u.n)
    WHERE b.project_id = $1 AND b.batch_id = $2
  )
  UPDATE state.branch_extra k SET status = NULL, attempt_count = k.attempt_count + 1, next_retry_at = NULL, error_detail = NULL,
    metadata = k.metadata - '${`{${OF_TURN.join()}}`}'::text[], rev = k.rev + 1, updated_at = now()
  FROM given g
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.task_index = g.task_index AND k.status = 'pending'
  RETURNING k.task_index, g.agent_turn_id, k.attempt_count, k.rev`;

const TRIES = "(k.attempt_count - coalesce((k.metadata ->> 'tries_before')::int, 0))";
const FAILED = `
  UPDATE state.branch_extra k SET attempt_count = k.attempt_count + 1, error_detail = $4, rev = k.rev + 1, updated_at = now(),
    status = CASE WHEN $5::boolean OR ${TRIES} + 1 >= $6 THEN 'failed' ELSE 'pending' END,
    next_retry_at = CASE WHEN $5::boolean OR ${TRIES} + 1 >= $6 THEN NULL
      ELSE now() + least($7::bigint * 2 ^ ${TRIES}, $8) * interval '1 ms' END
  FROM state.pmo_batches b
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.batch_task_id = $3 AND k.status = 'pending'
    AND b.project_id = k.project_id AND b.batch_id = k.batch_id AND b.status = 'running'
  RETURNING ${columnsOf(TASK_COLUMNS, "k")}, b.root_turn_id`;

type Dispatched = { task_index: number; agent_turn_id: string; attempt_count: number; rev: number };

export type Dispatch = {
  dispatched: number /** Never to be tried again: the batch may have ended by it. */;
  failed: number;
};

export async function dispatchPending(kernel: Kernel, key: BatchKey): Promise<Dispatch> {
  return tryDispatch(kernel, key, null);
}

/** If several fail together, we don't know which one caused it, so each is tried alone and holds up no other. */
async function tryDispatch(kernel: Kernel, key: BatchKey, only: string | null): Promise<Dispatch> {
  let taken: BatchTaskRow[] = [];
  try {
    const dispatched = await withUnit(kernel, async (unit) => {
      const [batch] = await unit.query<BatchRow>("dispatch_lock", LOCK, [key.project_id, key.batch_id]);
      if (!batch) return 0;
      const slots = batch.max_parallel ?? batch.task_count;
      taken = await unit.query<BatchTaskRow>("dispatch_take", TAKE, [key.project_id, key.batch_id, slots, only]);
      if (taken.length === 0) return 0;
      await unit.probe("before-dispatch");
      return dispatch(unit, batch, taken);
    });
    return { dispatched, failed: 0 };
  } catch (error) {
    if (taken.length === 0) throw error;
    const [task] = taken;
    if (task && taken.length === 1) return { dispatched: 0, failed: await noteFailure(kernel, key, task, error) };
    const sum: Dispatch = { dispatched: 0, failed: 0 };
    for (const { batch_task_id } of taken) {
      const one = await tryDispatch(kernel, key, batch_task_id);
      sum.dispatched += one.dispatched;
      sum.failed += one.failed;
    }
    return sum;
  }
}

async function dispatch(unit: Unit, batch: BatchRow, tasks: BatchTaskRow[]): Promise<number> {
  const { project_id, batch_id, root_turn_id } = batch;
  const drafts = tasks.map((task) => {
    if (!task.metadata.turn) throw new Error(`task ${task.batch_task_id} is pending and has nothing to make a turn of`);
    return task.metadata.turn as unknown as Omit<NewTurn, "agent_turn_id" | "headcode">;
  });
  const agent_ids = tasks.map((task) => task.agent_id);
  const there = new Set((await lockHeads(unit, { project_id, agent_ids })).map((head) => head.agent_id));
  const gone = agent_ids.find((agent_id) => !there.has(agent_id));
  if (gone !== undefined) throw new Error(`agent ${gone} does not exist, and a branch waits for it`);
  const codeless = drafts.filter((_, i) => tasks[i]?.metadata.headcode === undefined);
  const { codes } = await takeHeadcodes(unit, { project_id, root_turn_id, turns: codeless });
  const turns = drafts.map((draft, i) => ({
    ...draft,
    agent_turn_id: unit.kernel.newId("turn_"),
    headcode: tasks[i]?.metadata.headcode ?? codes.shift() ?? "",
  }));
  const given = turns.map(({ agent_turn_id }, i) => ({ task_index: tasks[i]?.task_index, agent_turn_id }));
  const dispatched = await unit.query<Dispatched>("dispatch_tasks", DISPATCHED, [
    project_id,
    batch_id,
    JSON.stringify(given),
  ]);
  const byIndex = new Map(dispatched.map((row) => [row.task_index, row]));
  for (const task of tasks) {
    const row = byIndex.get(task.task_index);
    // Another process has noted meanwhile that it cannot be dispatched.
    if (!row) throw new Error(`task ${task.batch_task_id} was pending and is not any more`);
    const now = { ...task, ...row, status: "dispatched" as const, next_retry_at: null, error_detail: null };
    unit.frame(project_id, batchTaskFrame(now, root_turn_id));
  }
  await enqueueTurns(unit, { project_id, turns });
  return dispatched.length;
}

/** A refusal would be the same next time; other failures may pass. */
async function noteFailure(kernel: Kernel, key: BatchKey, task: BatchTaskRow, error: unknown): Promise<number> {
  const isRefused = error instanceof KernelError && !isPassing(error) && error.code !== "internal_error";
  const { dispatchAttemptsMax, dispatchRetryMs, dispatchRetryMsMax } = kernel.tunables;
  const isLast = task.attempt_count - (task.metadata.tries_before ?? 0) + 1 >= dispatchAttemptsMax;
  const why = error instanceof KernelError ? error.code : "internal_error";
  const detail = isRefused || !isLast ? `dispatch_error:${why}` : `dispatch_retry_exhausted: ${why}`;
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<BatchTaskRow & { root_turn_id: string }>("dispatch_failed", FAILED, [
      key.project_id,
      key.batch_id,
      task.batch_task_id,
      detail,
      isRefused,
      dispatchAttemptsMax,
      dispatchRetryMs,
      dispatchRetryMsMax,
    ]);
    for (const { root_turn_id, ...task } of rows) unit.frame(key.project_id, batchTaskFrame(task, root_turn_id));
    return rows.filter((row) => row.status === "failed").length;
  });
}
