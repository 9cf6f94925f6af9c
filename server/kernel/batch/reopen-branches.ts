// Gives branches that have ended another attempt: a new turn for the same agent and context box. The branch waits again with
// the data its turn will be created from, and is dispatched like one that was held back. The earlier turn is not changed.
import type { EarlierAttempt } from "@/server/contract/batch";
import { columnsOf } from "../columns";
import type { NewTurn } from "../turns/new-turn";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { type BatchRow, type BatchTaskRow, batchTaskFrame, TASK_COLUMNS } from "./batch-row";

export type Reopened = {
  task: Pick<BatchTaskRow, "task_index" | "status" | "attempt_count"> & {
    metadata: Pick<BatchTaskRow["metadata"], "earlier">;
  };
  /** null = it was never dispatched, and still has the data for its turn. */
  turn: TurnRow | null;
  retried_by: EarlierAttempt["retried_by"];
  /** Absent = as soon as there is a slot. */
  wait_ms?: number;
};

// Until it has its next turn, the branch is a row of its own.
const REOPEN = `
  WITH given AS (
    SELECT g.task_index, g.wait_ms, g.metadata FROM jsonb_to_recordset($3::jsonb) AS g(task_index int, wait_ms bigint, metadata jsonb)
  ), batch AS (
    UPDATE state.pmo_batches b SET turns = ARRAY(SELECT CASE WHEN g.task_index IS NULL THEN u.agent_turn_id END
      FROM unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n) LEFT JOIN given g ON g.task_index = u.n - 1 ORDER BY u.n)
    WHERE b.project_id = $1 AND b.batch_id = $2
  )
  INSERT INTO state.branch_extra AS x (project_id, batch_id, task_index, batch_task_id, agent_id, context_box_id, created_at, attempts_max,
    attempt_count, metadata, next_retry_at, rev, status)
  SELECT $1, $2, k.task_index, k.batch_task_id, k.agent_id, k.context_box_id, k.created_at, k.attempts_max, k.attempt_count,
    k.metadata || g.metadata, now() + g.wait_ms * interval '1 ms', k.rev + 1, 'pending'
  FROM given g JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = $2 AND k.task_index = g.task_index
  ON CONFLICT (project_id, batch_id, task_index) DO UPDATE SET batch_task_id = excluded.batch_task_id, agent_id = excluded.agent_id,
    context_box_id = excluded.context_box_id, created_at = excluded.created_at, attempts_max = excluded.attempts_max,
    attempt_count = excluded.attempt_count, metadata = excluded.metadata, next_retry_at = excluded.next_retry_at,
    agent_turn_id = NULL, output_box_id = NULL, error_detail = NULL, result_view = NULL, updated_at = now(), rev = excluded.rev, status = 'pending'
  RETURNING ${columnsOf(TASK_COLUMNS, "x")}`;

/** The batch's row is locked. One statement for any number of branches. */
export async function reopenBranches(unit: Unit, batch: BatchRow, branches: readonly Reopened[]): Promise<void> {
  const { project_id, batch_id, root_turn_id } = batch;
  const given = branches.map(({ task, turn, retried_by, wait_ms }) => {
    const agent_turn_id = turn?.agent_turn_id;
    const earlier = [...(task.metadata.earlier ?? []), { agent_turn_id, status: task.status, retried_by }];
    const made = turn ? { turn: draftOf(batch, turn) } : {};
    const metadata = { ...made, earlier, tries_before: task.attempt_count };
    return { task_index: task.task_index, wait_ms, metadata };
  });
  const reopened = await unit.query<BatchTaskRow>("retry_reopen", REOPEN, [
    project_id,
    batch_id,
    JSON.stringify(given),
  ]);
  if (reopened.length !== branches.length) throw new Error(`batch ${batch_id}: a branch could not be reopened`);
  for (const task of reopened) unit.frame(project_id, batchTaskFrame(task, root_turn_id));
}

/** The same task for the same agent: what a worker or a model may not change is copied from the earlier turn. */
function draftOf(batch: BatchRow, turn: TurnRow): Omit<NewTurn, "agent_turn_id" | "headcode"> {
  const { agent_id, depth, trace_id } = turn;
  return {
    agent_id,
    depth,
    trace_id,
    parent_turn_id: batch.parent_agent_turn_id,
    root_turn_id: batch.root_turn_id,
    parent_step_id: turn.parent_step_id ?? undefined,
    parent_tool_call_id: batch.parent_tool_call_id,
    primitive: turn.primitive,
    target_strategy: turn.target_strategy ?? "new",
    channel: turn.channel,
    profile_box_id: turn.profile_box_id,
    profile_name: turn.profile_name,
    worker_target: turn.worker_target,
    needs_own_worker: turn.needs_own_worker,
    context_box_id: turn.context_box_id,
    instruction_card_id: turn.instruction_card_id ?? undefined,
    batch_task_id: turn.batch_task_id ?? undefined,
    batch_id: batch.batch_id,
    task_index: turn.task_index ?? undefined,
    title: turn.title,
    context_cards: turn.context_cards,
    context_tokens: turn.context_tokens,
    context_consist: turn.context_consist,
    window_tokens: turn.window_tokens,
    source_agent_id: batch.parent_agent_id,
  };
}
