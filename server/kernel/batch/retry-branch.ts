// A person gives a branch that did not succeed another attempt while its batch still runs: a new turn for the same agent and
// context box. The branch waits again with the data its turn will be created from, and is dispatched like one that was held
// back: within max_parallel, and by the sweep if this process dies in between. The earlier turn is not changed.
import { isRetriable } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { contextHeaders } from "../turns/context-headers";
import type { QueuedTurn } from "../turns/enqueue-turns";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import {
  BATCH_COLUMNS,
  type BatchKey,
  type BatchRow,
  type BatchTaskRow,
  batchTaskFrame,
  TASK_COLUMNS,
} from "./batch-row";
import { noBatch } from "./no-batch";
import { settleBatch } from "./settle";

export type RetryInput = BatchKey & { task_index: number; by: string };

const LOCK = `
  SELECT ${columnsOf(BATCH_COLUMNS, "pmo_batches")}, coalesce(deadline_at <= now(), false) AS is_overdue FROM state.pmo_batches
  WHERE project_id = $1 AND batch_id = $2 FOR UPDATE`;
const BRANCH = `
  SELECT to_jsonb(k) AS task, to_jsonb(t) AS turn FROM state.pmo_batch_tasks k
  LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.task_index = $3`;
const REOPEN = `
  UPDATE state.pmo_batch_tasks SET status = 'pending', agent_turn_id = NULL, next_retry_at = NULL, result_view = NULL,
    output_box_id = NULL, error_detail = NULL, metadata = metadata || $4::jsonb, rev = rev + 1, updated_at = now()
  WHERE project_id = $1 AND batch_id = $2 AND batch_task_id = $3 RETURNING ${columnsOf(TASK_COLUMNS, "pmo_batch_tasks")}`;

/** not_found if the batch or branch does not exist; conflict, with an alternative, if there is nothing to retry. */
export async function retryBranch(kernel: Kernel, input: RetryInput): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const { project_id, batch_id, task_index } = input;
    const key = [project_id, batch_id];
    const [[batch], [branch]] = await Promise.all([
      unit.query<BatchRow & { is_overdue: boolean }>("retry_lock", LOCK, key),
      unit.query<Branch>("retry_branch", BRANCH, [...key, task_index]),
    ]);
    if (!batch) throw noBatch(project_id, batch_id);
    if (!branch)
      throw new KernelError("not_found", `task_index: batch ${batch_id} has tasks 0 to ${batch.task_count - 1}`);
    refuseSettled(batch, branch.task);
    await reopen(unit, input, batch, branch);
    unit.after(async () => {
      await settleBatch(kernel, { project_id, batch_id });
    });
  });
}

type Branch = { task: BatchTaskRow; turn: TurnRow | null };

function refuseSettled(batch: BatchRow & { is_overdue: boolean }, task: BatchTaskRow): void {
  const refuse = (why: string) => {
    throw new KernelError("conflict", why);
  };
  if (batch.status !== "running" || batch.is_overdue)
    refuse(`batch ${batch.batch_id} has ended, so its tasks can't be retried; run the turn again on its own`);
  if (batch.fail_fast)
    refuse(`batch ${batch.batch_id} fails fast: it ends with its first branch that does not succeed`);
  if (!isRetriable(task.status))
    refuse(`task_index: task ${task.task_index} is ${task.status}; failed, timeout and canceled tasks can be retried`);
}

async function reopen(unit: Unit, { project_id, by }: RetryInput, batch: BatchRow, branch: Branch): Promise<void> {
  const { task, turn } = branch;
  const { status, metadata } = task;
  // A branch that was never dispatched still has the data for its turn.
  const made = turn ? { turn: draftOf(unit, batch, turn) } : {};
  const agent_turn_id = turn?.agent_turn_id;
  const earlier = [...(metadata.earlier ?? []), { agent_turn_id, status, retried_by: by }];
  const values = [
    project_id,
    batch.batch_id,
    task.batch_task_id,
    JSON.stringify({ ...made, earlier, tries_before: task.attempt_count }),
  ];
  const [reopened] = await unit.query<BatchTaskRow>("retry_reopen", REOPEN, values);
  if (!reopened) throw new Error(`task ${task.batch_task_id} was read and could not be reopened`);
  unit.frame(project_id, batchTaskFrame(reopened, batch.root_turn_id));
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
