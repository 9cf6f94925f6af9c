// Writes a batch: its row, what its branches say that no turn says, the codes that the run has given, and the wait of the agent that has
// made it, in one statement.
import type { BatchTool, ForkJoinInput } from "@/server/contract/batch";
import { keptPolicy } from "@/server/contract/join-rules";
import { columnsOf } from "../columns";
import type { Caller } from "../delegation/caller";
import { savedLettersSql } from "../delegation/take-headcodes";
import { waitedSql, waitingSql } from "../inbox/waits";
import type { Unit } from "../unit";
import {
  BATCH_COLUMNS,
  type BatchRow,
  type BatchTaskRow,
  draftBatchFrame,
  TASK_COLUMNS,
  toldBatchSql,
} from "./batch-row";

const WAIT = {
  agent: "$4",
  turn: "$5",
  epoch: "$7",
  call: "$6",
  step: "$14",
  tool: "$3",
  deadline: "now() + $24 * interval '1 ms'",
  edge: "$25",
  callCard: "NULL",
  condition: "$23::boolean",
};
const INSERT = `
  WITH batch AS (
    INSERT INTO state.pmo_batches (project_id, batch_id, tool_name, parent_agent_id, parent_agent_turn_id, parent_tool_call_id,
      parent_turn_epoch, root_turn_id, task_count, max_parallel, fail_fast, deadline_at, status, plan_run_id, plan_node_id, plan_try,
      policy, gate_at, parent_step_id, turns)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 ms', 'running', $15, $16, $17, $18, now() + $19 * interval '1 ms', $14, $20::text[])
    RETURNING ${columnsOf(BATCH_COLUMNS, "pmo_batches")}
  ), extra AS (
    INSERT INTO state.branch_extra (project_id, batch_task_id, batch_id, task_index, agent_id, status,
      attempt_count, attempts_max, context_box_id, output_box_id, result_view, metadata, created_at)
    SELECT $1, batch_task_id, $2, task_index, agent_id, status, attempt_count, attempts_max, context_box_id, output_box_id,
      result_view, metadata, CASE WHEN status IS NOT NULL THEN now() END
    FROM jsonb_to_recordset($13::jsonb) AS g(batch_task_id text, task_index int, agent_id text, status text,
      attempt_count int, attempts_max int, context_box_id text, output_box_id text, result_view jsonb, metadata jsonb)
    RETURNING ${columnsOf(TASK_COLUMNS, "branch_extra")}
  ), ${toldBatchSql("$21")}, ${savedLettersSql("$8", "$22")}, ${waitingSql(WAIT)}
  SELECT (SELECT to_jsonb(b) FROM batch b) AS batch, (SELECT jsonb_agg(to_jsonb(x) ORDER BY x.task_index) FROM extra x WHERE x.status IS NOT NULL) AS told,
    (SELECT w.deadline_at FROM (${waitedSql(WAIT)}) w WHERE ${WAIT.condition} LIMIT 1) AS waited_until`;

type Branch = Pick<BatchTaskRow, "task_index" | "batch_task_id" | "agent_id" | "status" | "attempts_max">;
/** A branch with a turn stores almost nothing here, because the row of its turn says it. A branch without a turn stores everything. */
type InsertedTask =
  | (Branch & { agent_turn_id: string })
  | (Branch &
      Pick<BatchTaskRow, "attempt_count" | "context_box_id" | "metadata"> &
      Partial<Pick<BatchTaskRow, "output_box_id" | "result_view">> & { agent_turn_id: null });

type NewBatch = {
  project_id: string;
  batch_id: string;
  tool: BatchTool;
  caller: Caller;
  tool_call_id: string;
  input: Pick<ForkJoinInput, "max_parallel" | "fail_fast" | "policy" | "deadline_seconds">;
  /** Its caller waits for the plan and not for the batch. */
  plan?: { plan_run_id: string; node_id: string; try: number; deadlineMs: number | null };
  tasks: InsertedTask[];
  /** Of its run, as JSON (take-headcodes.ts). */
  letters: string;
};

/** `waited_until`: the deadline of the wait. */
type Made = { batch: BatchRow; told: BatchTaskRow[] | null; waited_until: string | null };

/** From then on the calling agent waits for the batch. People do not wait, and for a node of a plan the plan waits. */
export async function insertBatch(unit: Unit, batch: NewBatch): Promise<Made> {
  const { project_id, batch_id, caller, input, tasks, letters } = batch;
  const timeoutMs = deadlineMs(unit, input);
  const policy = keptPolicy(input.policy) ?? null;
  const row = {
    project_id,
    batch_id,
    tool_name: batch.tool,
    parent_agent_id: caller.turn.agent_id,
    parent_agent_turn_id: caller.turn.agent_turn_id,
    parent_tool_call_id: batch.tool_call_id,
    parent_turn_epoch: caller.turn.turn_epoch,
    root_turn_id: caller.turn.root_turn_id,
    task_count: tasks.length,
    max_parallel: input.max_parallel ?? null,
    fail_fast: input.fail_fast,
    plan_run_id: batch.plan?.plan_run_id ?? null,
    plan_node_id: batch.plan?.node_id ?? null,
    plan_try: batch.plan?.try ?? null,
    policy,
  };
  const [made] = await unit.query<Made>("fork_insert", INSERT, [
    project_id,
    batch_id,
    row.tool_name,
    row.parent_agent_id,
    row.parent_agent_turn_id,
    row.parent_tool_call_id,
    row.parent_turn_epoch,
    row.root_turn_id,
    row.task_count,
    row.max_parallel,
    row.fail_fast,
    batch.plan ? batch.plan.deadlineMs : timeoutMs,
    JSON.stringify(tasks.flatMap(extraOf)),
    caller.step_id ?? null,
    row.plan_run_id,
    row.plan_node_id,
    row.plan_try,
    policy ? JSON.stringify(policy) : null,
    // While it waits for the deadline of the batch, the policy's own time decides nothing.
    policy?.timeout_ms === undefined || policy.on_timeout === "wait" ? null : policy.timeout_ms,
    // Minted here. As an array, each of them would be searched for what it cannot contain.
    `{${tasks.map(({ agent_turn_id }) => agent_turn_id ?? "NULL").join()}}`,
    draftBatchFrame({ ...row, status: "running", arrivals: [], late: [], closed_by: null, metadata: {} }),
    letters,
    !caller.is_human && !batch.plan,
    // The batch keeps the time itself: this deadline is only for one that everything else has missed (K14).
    timeoutMs === null ? null : timeoutMs + 10 * unit.kernel.tunables.watchdogMs,
    unit.kernel.newId("edge_"),
  ]);
  if (!made) throw new Error("a batch was inserted and did not come back");
  unit.ring({ kind: "journal", project_id });
  return made;
}

/** What the turn of a branch does not say: all of one without a turn, how often another may be tried, of most nothing. */
function extraOf(task: InsertedTask): object[] {
  if (task.agent_turn_id === null) return [task];
  const { task_index, attempts_max } = task;
  return attempts_max > 1 ? [{ task_index, attempts_max }] : [];
}

function deadlineMs(unit: Unit, { deadline_seconds }: Pick<ForkJoinInput, "deadline_seconds">): number | null {
  if (deadline_seconds !== undefined) return Math.round(deadline_seconds * 1000);
  return unit.kernel.tunables.batchDeadlineMs || null;
}
