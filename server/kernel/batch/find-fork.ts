// The fork that a call has made: a call that comes again gets the answer of the first one, rebuilt from what that one wrote.
import type { ForkResult } from "@/server/contract/batch";
import { columnsOf } from "../columns";
import { type RunAsRead, runAsReadSql } from "../delegation/run-as-read";
import { hasOtherWaitsSql } from "../inbox/waits";
import type { Unit } from "../unit";
import { BATCH_COLUMNS, type BatchRow, type BatchTaskRow } from "./batch-row";

const REPLAY = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.task_index) FROM state.pmo_batch_tasks k
    WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id) AS tasks
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_tool_call_id = $2`;
const BEFORE = `
  SELECT ${hasOtherWaitsSql("$3", "$2")} AS has_others, ${runAsReadSql("$3")} AS run_as_read, ${columnsOf(BATCH_COLUMNS, "b")}, b.tasks
  FROM (SELECT 1) AS one LEFT JOIN LATERAL (${REPLAY}) b ON true`;

type Found = BatchRow & { tasks: BatchTaskRow[] };
type Call = { project_id: string; tool_call_id: string };

/** The answer to the earlier call, rebuilt from what it wrote. */
export async function readFork(unit: Unit, call: Call): Promise<ForkResult> {
  const found = await findFork(unit, call);
  if (!found) throw new Error(`call ${call.tool_call_id} has made no batch`);
  return found;
}

/** null: this call has made no batch. */
export async function findFork(unit: Unit, call: Call): Promise<ForkResult | null> {
  const [done] = await unit.query<Found>("fork_replay", REPLAY, [call.project_id, call.tool_call_id]);
  return done ? answerOf(done, done.tasks) : null;
}

type Before = { has_others: boolean; run_as_read: RunAsRead | null } & (Found | { [K in keyof Found]: null });

/**
 * Sent after the statement that locks the caller. `done`: the answer to the same call, made before; null: it was not. `mustReadWaits`: the turn
 * waits for another call, has not read another's result, or has made this call before. `runAsRead`: the caller's run, read without a lock; null if it has limits.
 */
export async function askBeforeFork(
  unit: Unit,
  { project_id, tool_call_id, agent_turn_id }: Call & { agent_turn_id: string },
): Promise<{ done: ForkResult | null; mustReadWaits: boolean; runAsRead: RunAsRead | null }> {
  const [row] = await unit.query<Before>("fork_before", BEFORE, [project_id, tool_call_id, agent_turn_id]);
  if (!row) throw new Error("the statement fork_before returned no row");
  const done = row.batch_id === null ? null : answerOf(row, row.tasks);
  return { done, mustReadWaits: row.has_others, runAsRead: row.run_as_read };
}

type Answered = Pick<BatchTaskRow, "task_index" | "batch_task_id" | "agent_id" | "agent_turn_id" | "status">;

/** What a call that forks is answered, the first time and again. */
export const answerOf = (batch: BatchRow, tasks: Answered[]): ForkResult => ({
  status: "suspended",
  batch_id: batch.batch_id,
  tool_call_id: batch.parent_tool_call_id,
  task_count: batch.task_count,
  ...(batch.deadline_at !== null && { deadline: new Date(batch.deadline_at).toISOString() }),
  tasks: tasks.map((task) => ({
    task_index: task.task_index,
    batch_task_id: task.batch_task_id,
    agent_id: task.agent_id,
    ...(task.agent_turn_id !== null && { agent_turn_id: task.agent_turn_id }),
    status: task.status,
  })),
});
