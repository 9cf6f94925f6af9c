// Gives branches that have ended another attempt: a new turn for the same agent and context box. The branch waits again with
// the data its turn will be created from, and is dispatched like one that was held back. The earlier turn is not changed.
import type { EarlierAttempt } from "@/server/contract/batch";
import { columnsOf } from "../columns";
import { contextHeaders } from "../turns/context-headers";
import type { QueuedTurn } from "../turns/enqueue-turns";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { type BatchRow, type BatchTaskRow, batchTaskFrame, TASK_COLUMNS } from "./batch-row";

export type Reopened = {
  task: Pick<BatchTaskRow, "batch_task_id" | "status" | "attempt_count" | "metadata">;
  /** null = it was never dispatched, and still has the data for its turn. */
  turn: TurnRow | null;
  retried_by: EarlierAttempt["retried_by"];
  /** Absent = as soon as there is a slot. */
  wait_ms?: number;
};

const REOPEN = `
  UPDATE state.pmo_batch_tasks k SET status = 'pending', agent_turn_id = NULL, next_retry_at = now() + g.wait_ms * interval '1 ms',
    result_view = NULL, output_box_id = NULL, error_detail = NULL, metadata = (CASE WHEN k.agent_turn_id IS NULL THEN k.metadata ELSE k.metadata - 'headcode' END) || g.metadata, rev = k.rev + 1, updated_at = now()
  FROM jsonb_to_recordset($3::jsonb) AS g(batch_task_id text, wait_ms bigint, metadata jsonb)
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.batch_task_id = g.batch_task_id
  RETURNING ${columnsOf(TASK_COLUMNS, "k")}`;

/** The batch's row is locked. One statement for any number of branches. */
export async function reopenBranches(unit: Unit, batch: BatchRow, branches: readonly Reopened[]): Promise<void> {
  const { project_id, batch_id, root_turn_id } = batch;
  const given = branches.map(({ task, turn, retried_by, wait_ms }) => {
    const agent_turn_id = turn?.agent_turn_id;
    const earlier = [...(task.metadata.earlier ?? []), { agent_turn_id, status: task.status, retried_by }];
    const made = turn ? { turn: draftOf(unit, batch, turn) } : {};
    const metadata = { ...made, earlier, tries_before: task.attempt_count };
    return { batch_task_id: task.batch_task_id, wait_ms, metadata };
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
function draftOf(unit: Unit, batch: BatchRow, turn: TurnRow): Omit<QueuedTurn, "agent_turn_id" | "headcode"> {
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
    context_headers: contextHeaders(unit.kernel, turn),
  };
}
