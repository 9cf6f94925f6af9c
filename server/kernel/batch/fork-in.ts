// A fork inside a unit. All tasks are checked first, then everything is written in sets: agents, boxes, cards, batch,
// turns, inbox rows and frames. The number of statements is the same for one task and for sixty-four.
import type { BatchTool, ForkJoinInput, ForkResult } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { keptPolicy } from "@/server/contract/join-rules";
import { columnsOf } from "../columns";
import type { Ahead } from "../delegation/ask-ahead";
import type { Caller } from "../delegation/caller";
import type { TaskArgs } from "../delegation/choose-recipes";
import { type PlannedTask, planTasks } from "../delegation/plan-tasks";
import { type NamedTurn, type TakenCodes, takeHeadcodes } from "../delegation/take-headcodes";
import { heardLater } from "../heard-later";
import { type InsertedWait, insertWait } from "../inbox/waits";
import { insertAgents } from "../roster/insert-agents";
import { enqueueTurns } from "../turns/enqueue-turns";
import { traceparentOf } from "../turns/traceparent";
import type { Unit } from "../unit";
import {
  BATCH_COLUMNS,
  type BatchRow,
  type BatchTaskRow,
  batchTaskFrame,
  draftBatchFrame,
  TASK_COLUMNS,
  type TaskMetadata,
  toldBatchSql,
} from "./batch-row";

export type Fork = {
  project_id: string;
  caller: Caller;
  tool: BatchTool;
  input: Omit<ForkJoinInput, "tasks"> & { tasks: (ForkJoinInput["tasks"][number] & TaskArgs)[] };
  /** Created by the kernel; repeating the call gives the same batch. */
  tool_call_id: string;
  /** Read for its tasks together with the caller's lock. */
  ahead?: Ahead;
  /** The caller is locked, and no batch of this call was found under the lock. */
  isNew?: boolean;
  /** In task order, with contexts that are there already: nothing is packed. Absent = planned and packed from the tasks. */
  branches?: readonly Branch[];
  /**
   * Sent together with the batch: what the caller does in the same unit once it waits for it. `isWhole`: nothing but this is still to be
   * sent or told.
   */
  together?: (wait: Promise<InsertedWait | undefined>, isWhole: boolean) => Promise<unknown>;
  /** The node of a plan run. Its caller waits for the plan and not for the batch; its turns have the codes kept for them. */
  plan?: {
    plan_run_id: string;
    node_id: string;
    try: number;
    headcodes: readonly (string | undefined)[];
    deadlineMs: number | null;
    /** By task: the recorded branch whose result it takes. Such a task makes no turn. */
    replays?: readonly (RecordedTask | null)[];
    /** What the node's row says of its batch, sent together with it. */
    withBatch: (batch_id: string) => Promise<void>;
  };
};

/** What is written for one task. */
export type Branch = Pick<PlannedTask, "agent_id" | "new_agent" | "turn">;

/** A branch that is over, as it was recorded. */
export type RecordedTask = Pick<
  BatchTaskRow,
  | "batch_task_id"
  | "agent_id"
  | "agent_turn_id"
  | "status"
  | "context_box_id"
  | "output_box_id"
  | "result_view"
  | "metadata"
>;

const REPLAY = `
  SELECT ${columnsOf(BATCH_COLUMNS, "b")}, (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.task_index) FROM state.pmo_batch_tasks k
    WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id) AS tasks
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_tool_call_id = $2`;

// Turns that are suspended, and those that have forked and are about to be.
const ANCESTORS = `
  WITH RECURSIVE line AS (
    SELECT agent_turn_id, agent_id, parent_turn_id, status, 0 AS hop FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2
    UNION ALL
    SELECT p.agent_turn_id, p.agent_id, p.parent_turn_id, p.status, l.hop + 1
    FROM line l JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = l.parent_turn_id WHERE l.hop < 64
  )
  SELECT agent_id FROM line WHERE hop = 0 OR status = 'suspended' OR EXISTS (SELECT 1 FROM state.pmo_batches b
    WHERE b.project_id = $1 AND b.parent_agent_turn_id = line.agent_turn_id AND b.status = 'running')`;

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
  ), ${toldBatchSql("$21")}
  SELECT (SELECT to_jsonb(b) FROM batch b) AS batch, (SELECT jsonb_agg(to_jsonb(x) ORDER BY x.task_index) FROM extra x WHERE x.status IS NOT NULL) AS told`;

export async function forkIn(unit: Unit, fork: Fork): Promise<ForkResult> {
  const { project_id, caller, tool, input, tool_call_id } = fork;
  // A node of a plan is started under the lock of its run, by whoever still finds it not started: no try has an earlier answer.
  const done = fork.plan || fork.isNew ? null : await findFork(unit, { project_id, tool_call_id });
  if (done) return done;
  await refuseCycles(unit, fork);
  const batch_id = unit.kernel.newId("batch_");
  const task_count = input.tasks.length;
  const replays = fork.plan?.replays ?? [];
  const running = input.tasks.flatMap((args, task_index) => (replays[task_index] ? [] : { args, task_index }));
  let taking: Promise<TakenCodes> | undefined;
  const askCodes = (turns: readonly NamedTurn[]) => {
    const first = turns.slice(0, input.max_parallel ?? task_count);
    const codeless = first.filter((_, i) => keptCode(fork, running[i]?.task_index) === undefined);
    const { root_turn_id } = caller.turn;
    taking = heardLater(takeHeadcodes(unit, { project_id, root_turn_id, turns: codeless, adds: running.length }));
  };
  const planned: readonly Branch[] =
    fork.branches ??
    (await planTasks(unit, {
      project_id,
      caller: { ...caller, tool_call_id, client_call_key: undefined },
      primitive: tool === "plan_wagon" ? "delegate_async" : tool,
      ahead: fork.ahead,
      beforeBoxes: askCodes,
      tasks: running.map(({ args, task_index }) => ({
        args,
        // A branch gets its own trace, linked to its parent's; an expert answers within the asker's.
        ...(tool === "fork_join" && { trace_id: unit.kernel.newId(), batch: { batch_id, task_index, task_count } }),
      })),
    }));
  if (!taking) askCodes(planned.map(({ turn }) => turn));
  const drafts = planned.map((task, i): Draft => {
    const task_index = running[i]?.task_index;
    if (task_index === undefined) throw new Error("a task was planned that was not asked for");
    const batch_task_id = unit.kernel.newId("bt_");
    return { batch_task_id, batch_id, task_index, agent_turn_id: unit.kernel.newId("turn_"), task };
  });
  const first = drafts.slice(0, input.max_parallel ?? task_count);
  const agents = planned.flatMap(({ new_agent }, i) =>
    new_agent ? [{ first_turn: first[i]?.agent_turn_id, ...new_agent }] : [],
  );
  const provisioning = heardLater(insertAgents(unit, { project_id, agents }));
  const taken = await taking;
  const turns = dispatchedTurns(fork, first, taken?.codes ?? []);
  await unit.probe("fork-before-batch");
  const rows = [
    ...drafts.map((draft, i) => {
      const attempts = running[i]?.args.attempts;
      return i < first.length ? dispatchedRow(draft, attempts) : pendingRow(fork, draft, attempts);
    }),
    ...replays.flatMap((recorded, i) => (recorded ? replayedRow(unit, recorded, i) : [])),
  ].toSorted((a, b) => a.task_index - b.task_index);
  const inserting = insertBatch(unit, fork, batch_id, rows);
  const waiting = caller.is_human || fork.plan ? Promise.resolve(undefined) : wait(unit, fork);
  const areAllNew = first.length === task_count && first.every(({ task }) => task.new_agent !== undefined);
  const [{ batch, told }] = await Promise.all([
    inserting,
    provisioning,
    waiting,
    enqueueTurns(unit, { project_id, turns }),
    fork.plan?.withBatch(batch_id),
    fork.together?.(waiting, areAllNew && taken?.is_limited === false),
  ]);
  for (const task of told ?? []) unit.frame(project_id, batchTaskFrame(task, batch.root_turn_id));
  return answerOf(batch, rows);
}

/** The answer to the earlier call, rebuilt from what it wrote. */
export async function readFork(unit: Unit, call: { project_id: string; tool_call_id: string }): Promise<ForkResult> {
  const found = await findFork(unit, call);
  if (!found) throw new Error(`call ${call.tool_call_id} has made no batch`);
  return found;
}

/** null: this call has made no batch. */
export async function findFork(
  unit: Unit,
  call: { project_id: string; tool_call_id: string },
): Promise<ForkResult | null> {
  const [done] = await unit.query<BatchRow & { tasks: BatchTaskRow[] }>("fork_replay", REPLAY, [
    call.project_id,
    call.tool_call_id,
  ]);
  return done ? answerOf(done, done.tasks) : null;
}

type Draft = { batch_task_id: string; batch_id: string; task_index: number; agent_turn_id: string; task: Branch };

const keptCode = ({ plan }: Fork, task_index = -1): string | undefined => plan?.headcodes[task_index];

/** `codes`: for those that no plan has kept one for. */
function dispatchedTurns(fork: Fork, drafts: Draft[], codes: readonly string[]) {
  const rest = codes.values();
  return drafts.map(({ batch_task_id, batch_id, task_index, agent_turn_id, task }) => {
    const headcode = keptCode(fork, task_index) ?? rest.next().value;
    if (headcode === undefined) throw new Error(`turn ${agent_turn_id} came without a code`);
    const is_first = task.new_agent !== undefined;
    // Spread last, which is ten times as fast; a planned turn has none of these fields.
    return { batch_task_id, batch_id, task_index, agent_turn_id, headcode, is_first, ...task.turn };
  });
}

/** Of a branch that is dispatched, nothing more is stored: the view `pmo_batch_tasks` reads the rest from its turn. */
const dispatchedRow = ({ batch_task_id, task_index, task, agent_turn_id }: Draft, attempts = 1) => ({
  batch_task_id,
  task_index,
  agent_id: task.agent_id,
  agent_turn_id,
  status: "dispatched" as const,
  attempts_max: attempts,
});

const pendingRow = (fork: Fork, draft: Draft, attempts = 1) => ({
  batch_task_id: draft.batch_task_id,
  task_index: draft.task_index,
  agent_id: draft.task.agent_id,
  agent_turn_id: null,
  status: "pending" as const,
  attempt_count: 0,
  attempts_max: attempts,
  context_box_id: draft.task.turn.context_box_id,
  metadata: pendingMetadata(fork, draft),
});

/** `turn`: what dispatch-pending.ts makes the turn of. */
function pendingMetadata(fork: Fork, { batch_task_id, batch_id, task_index, task }: Draft): TaskMetadata {
  const parent = fork.caller.turn;
  const headcode = keptCode(fork, task_index);
  const turn = { ...task.turn, batch_task_id, batch_id, task_index };
  return {
    title: turn.title,
    profile_name: turn.profile_name,
    target_strategy: turn.target_strategy,
    child_trace_id: turn.trace_id,
    parent_trace_id: parent.trace_id,
    parent_traceparent: traceparentOf(parent.trace_id, batch_task_id),
    dispatch_channel_id: turn.channel,
    ...(headcode !== undefined && { headcode }),
    turn,
  };
}

type InsertedTask = ReturnType<typeof dispatchedRow> | ReturnType<typeof pendingRow> | ReturnType<typeof replayedRow>;
type Made = { batch: BatchRow; told: BatchTaskRow[] | null };

/** Entered as recorded: its end counts in the join, and nothing runs. */
const replayedRow = (unit: Unit, recorded: RecordedTask, task_index: number) => ({
  batch_task_id: unit.kernel.newId("bt_"),
  task_index,
  agent_id: recorded.agent_id,
  agent_turn_id: null,
  status: recorded.status,
  attempt_count: 0,
  attempts_max: 1,
  context_box_id: recorded.context_box_id ?? "",
  output_box_id: recorded.output_box_id,
  result_view: recorded.result_view && { ...recorded.result_view, task_index },
  metadata: {
    ...recorded.metadata,
    headcode: undefined,
    earlier: undefined,
    tries_before: undefined,
    replays: recorded.metadata.replays ?? {
      batch_task_id: recorded.batch_task_id,
      agent_turn_id: recorded.agent_turn_id,
    },
  },
});

async function insertBatch(unit: Unit, fork: Fork, batch_id: string, tasks: InsertedTask[]): Promise<Made> {
  const { caller, input, project_id } = fork;
  const policy = keptPolicy(input.policy) ?? null;
  const row = {
    project_id,
    batch_id,
    tool_name: fork.tool,
    parent_agent_id: caller.turn.agent_id,
    parent_agent_turn_id: caller.turn.agent_turn_id,
    parent_tool_call_id: fork.tool_call_id,
    parent_turn_epoch: caller.turn.turn_epoch,
    root_turn_id: caller.turn.root_turn_id,
    task_count: tasks.length,
    max_parallel: input.max_parallel ?? null,
    fail_fast: input.fail_fast,
    plan_run_id: fork.plan?.plan_run_id ?? null,
    plan_node_id: fork.plan?.node_id ?? null,
    plan_try: fork.plan?.try ?? null,
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
    fork.plan ? fork.plan.deadlineMs : deadlineMs(unit, input),
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

// The batch keeps the time itself; the wait's own deadline is only for a batch that everything else has missed (K14).
async function wait(unit: Unit, { project_id, caller, tool, tool_call_id, input }: Fork): Promise<InsertedWait> {
  const { agent_id, agent_turn_id, turn_epoch } = caller.turn;
  const timeoutMs = deadlineMs(unit, input);
  return insertWait(unit, {
    project_id,
    agent_id,
    agent_turn_id,
    turn_epoch,
    tool_call_id,
    tool_name: tool,
    step_id: caller.step_id,
    ...(timeoutMs !== null && { timeout_ms: timeoutMs + 10 * unit.kernel.tunables.watchdogMs }),
  });
}

/** The caller, and every agent above it that waits, cannot take a turn before the join: the fork would wait for itself. */
async function refuseCycles(unit: Unit, { project_id, caller, input }: Fork): Promise<void> {
  const reused = input.tasks.filter((task) => task.target_strategy === "reuse");
  if (reused.length === 0) return;
  const rows = await unit.query<{ agent_id: string }>("fork_ancestors", ANCESTORS, [
    project_id,
    caller.turn.agent_turn_id,
  ]);
  const waiting = new Set(rows.map((row) => row.agent_id));
  const [task] = reused.filter(({ target_ref }) => waiting.has(target_ref));
  if (!task) return;
  const path = `tasks.${input.tasks.indexOf(task)}.target_ref`;
  throw new KernelError(
    "fork_cycle",
    `invalid args.${path}: a cycle: agent ${task.target_ref} waits for this fork itself; clone it instead`,
    { path },
  );
}

type Answered = Pick<BatchTaskRow, "task_index" | "batch_task_id" | "agent_id" | "agent_turn_id" | "status">;

const answerOf = (batch: BatchRow, tasks: Answered[]): ForkResult => ({
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
