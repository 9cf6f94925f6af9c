// A fork inside a unit. All tasks are checked first, then everything is written in sets: agents, boxes, cards, batch,
// turns, inbox rows and frames. The number of statements is the same for one task and for sixty-four.
import type { BatchTool, ForkJoinInput, ForkResult } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import type { Ahead } from "../delegation/ask-ahead";
import type { Caller } from "../delegation/caller";
import type { TaskArgs } from "../delegation/choose-recipes";
import { type PlannedTask, planTasks } from "../delegation/plan-tasks";
import type { RunAsRead } from "../delegation/run-as-read";
import { type NamedTurn, type TakenCodes, takeHeadcodes } from "../delegation/take-headcodes";
import { heardLater } from "../heard-later";
import type { Wait } from "../inbox/waits";
import { insertAgents } from "../roster/insert-agents";
import { enqueueTurns } from "../turns/enqueue-turns";
import { traceparentOf } from "../turns/traceparent";
import type { Unit } from "../unit";
import { type BatchTaskRow, batchTaskFrame, type TaskMetadata } from "./batch-row";
import { answerOf, findFork } from "./find-fork";
import { insertBatch } from "./insert-batch";
import { noteBranches } from "./open-branches";

export type Fork = {
  project_id: string;
  caller: Caller;
  tool: BatchTool;
  input: Omit<ForkJoinInput, "tasks"> & { tasks: (ForkJoinInput["tasks"][number] & TaskArgs)[] };
  /** Created by the kernel; repeating the call gives the same batch. */
  tool_call_id: string;
  /** Read for its tasks together with the caller's lock. */
  ahead?: Ahead;
  /** The run as it was read after the caller's lock, not locked itself. Absent: the run is locked before codes are assigned. */
  runAsRead?: RunAsRead;
  /** The caller is locked, and no batch of this call was found under the lock. */
  isNew?: boolean;
  /** In task order, with contexts that are there already: nothing is packed. Absent = planned and packed from the tasks. */
  branches?: readonly Branch[];
  /**
   * Sent together with the batch: what the caller does in the same unit once it waits for it. `isWhole`: nothing but this is still to be
   * sent or told.
   */
  together?: (wait: Promise<Pick<Wait, "deadline_at">>, isWhole: boolean) => Promise<unknown>;
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
    const asked = { project_id, root_turn_id, turns: codeless, adds: running.length } as const;
    taking = heardLater(takeHeadcodes(unit, { ...asked, isSavedByCaller: true, asRead: fork.runAsRead }));
    return taking;
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
  const asking = taking ?? askCodes(planned.map(({ turn }) => turn));
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
  const { codes, letters, is_limited } = await asking;
  const turns = dispatchedTurns(fork, first, codes);
  await unit.probe("fork-before-batch");
  const rows = [
    ...drafts.map((draft, i) => {
      const attempts = running[i]?.args.attempts;
      return i < first.length ? dispatchedRow(draft, attempts) : pendingRow(fork, draft, attempts);
    }),
    ...replays.flatMap((recorded, i) => (recorded ? replayedRow(unit, recorded, i) : [])),
  ].toSorted((a, b) => a.task_index - b.task_index);
  const inserting = insertBatch(unit, {
    project_id,
    batch_id,
    tool,
    caller,
    tool_call_id,
    input,
    plan: fork.plan,
    tasks: rows,
    letters,
  });
  const waiting = heardLater(inserting.then(({ waited_until }) => ({ deadline_at: waited_until })));
  const areAllNew = first.length === task_count && first.every(({ task }) => task.new_agent !== undefined);
  const [{ batch, told }] = await Promise.all([
    inserting,
    provisioning,
    enqueueTurns(unit, { project_id, turns }),
    fork.plan?.withBatch(batch_id),
    fork.together?.(waiting, areAllNew && !is_limited),
  ]);
  if (first.length === task_count) noteBranches(unit, turns);
  for (const task of told ?? []) unit.frame(project_id, batchTaskFrame(task, batch.root_turn_id));
  return answerOf(batch, rows);
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
