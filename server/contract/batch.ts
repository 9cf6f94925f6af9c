// A fork: tasks that start at once and are joined when all have ended (docs/design/kernel.md 6 and 8). Asking an expert is a
// batch of one, so it inherits deadlines, stops and the single resume.
import * as z from "zod";
import { asText } from "./as-text";
import { YEAR_S } from "./bounds";
import type { PackArtifactRef } from "./context-pack/pack";
import { delegated, handed } from "./handed";
import { JoinPolicy } from "./join-policy";
import type { EndStatus, TargetStrategy, TurnStatus } from "./turn";

const TRUE = ["true", "yes", "on", "1"];
const FALSE = ["false", "no", "off", "0", ""];

/** As models write it: true, 1, "YES", "on"; null counts as absent. */
const Flag = z.unknown().transform((value, context): boolean => {
  if (value === undefined || value === null) return false;
  const word = asText(value).trim().toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  context.addIssue({ code: "custom", message: "give true or false" });
  return z.NEVER;
});

const PARALLEL_MAX = 10_000;

/** A number above 0, also as text; null counts as absent. */
const positive = (what: string, isWhole: boolean, max: number) =>
  z.unknown().transform((value, context): number | undefined => {
    if (value === undefined || value === null) return undefined;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (
      typeof number === "number" &&
      Number.isFinite(number) &&
      number > 0 &&
      number <= max &&
      (!isWhole || Number.isInteger(number))
    )
      return number;
    context.addIssue({ code: "custom", message: `give ${what} above 0 and at most ${max}, or leave it out` });
    return z.NEVER;
  });

/** Attempts of one task, the first included. */
const ATTEMPTS_MAX = 5;

const ForkTask = z.strictObject({
  ...delegated,
  /** How often it is tried in all, if it fails. */
  attempts: positive("a whole number", true, ATTEMPTS_MAX).optional(),
});

export const ForkJoinInput = z.strictObject({
  tasks: z.array(ForkTask).min(1, "give at least one task"),
  fail_fast: Flag.optional().default(false),
  deadline_seconds: positive("seconds", false, YEAR_S).optional(),
  max_parallel: positive("a whole number", true, PARALLEL_MAX).optional(),
  /** When the join stops waiting; absent = when all tasks have ended. */
  policy: JoinPolicy.optional(),
});
export type ForkJoinInput = z.infer<typeof ForkJoinInput>;

export const AskExpertInput = z.strictObject({
  expert_profile: z.string().trim().min(1),
  question: z.string().refine((s) => s.trim() !== "", "question is empty; enter a question"),
  include_history: z.boolean().default(false),
  ...handed,
});
export type AskExpertInput = z.infer<typeof AskExpertInput>;

/** plan_wagon: one turn of a plan, awaited like a batch of one and drawn without a frame. */
export type BatchTool = "fork_join" | "ask_expert" | "plan_wagon";
export const batchStatuses = ["running", "success", "partial", "failed", "timeout", "canceled"] as const;
export type BatchStatus = (typeof batchStatuses)[number];
export type TaskStatus = "pending" | "dispatched" | EndStatus;

/** A person may retry it while its batch runs. A partial result counts as delivered. */
export const isRetriable = (status: TaskStatus | TurnStatus): boolean =>
  status === "failed" || status === "timeout" || status === "canceled";

/** One branch as its parent sees it after the join. Absent keys are left out. */
export type BranchResult = {
  task_index: number;
  status: EndStatus;
  /** First five fields of the deliverable, or its text. */
  summary?: string;
  output_box_id?: string;
  agent_id?: string;
  agent_turn_id?: string;
  error?: string;
  /** The newest context pack that it built and handed to nobody. */
  context_pack_ref?: PackArtifactRef;
};

/**
 * What fork_join returns to its caller, in task_index order. With a policy: `counted` = the tasks that closed the gate, in the order
 * of their arrival; `late` = those that had not arrived. They are not among the results where they went on.
 */
export type JoinResult = {
  status: Exclude<BatchStatus, "running">;
  results: BranchResult[];
  counted?: number[];
  late?: number[];
};

/** Why the gate of a batch with a policy closed. partial_timeout: its time was over, and it ended with what had arrived. */
export type ClosedBy = "satisfied" | "quorum_unreachable" | "join_timeout" | "partial_timeout";

/** What ask_expert returns to its caller. */
export type ExpertResult = {
  status: EndStatus;
  summary?: string;
  output_box_id?: string;
  agent_turn_id?: string;
  error?: string;
};

/** Answer to a call that suspends its caller. */
export type ForkResult = {
  status: "suspended";
  batch_id: string;
  tool_call_id: string;
  task_count: number;
  /** ISO 8601; absent = none. */
  deadline?: string;
  tasks: { task_index: number; batch_task_id: string; agent_id: string; agent_turn_id?: string; status: TaskStatus }[];
};

export type Batch = {
  batch_id: string;
  tool_name: BatchTool;
  root_turn_id: string;
  parent_agent_id: string;
  parent_agent_turn_id: string;
  parent_tool_call_id: string;
  /** The node of a plan run that it is. */
  plan_run_id?: string;
  plan_node_id?: string;
  task_count: number;
  max_parallel?: number;
  fail_fast: boolean;
  deadline_at?: string;
  /** Absent = it waits for all. Present, the next three are too. */
  policy?: JoinPolicy;
  /** Arrivals that close the gate. */
  needed?: number;
  /** Indexes of tasks without attempts left, in the order of their arrival. */
  arrivals?: number[];
  /** Indexes of tasks that were too late to change the result, and were not stopped. */
  late?: number[];
  /** When the policy's own time is over. */
  gate_at?: string;
  /** Why the gate closed. Absent = it is open, or the batch ended by its deadline or a stop. */
  closed_by?: ClosedBy;
  status: BatchStatus;
  rev: number;
  created_at: string;
  ended_at?: string;
};

/** What stands for the one who retried where nobody did: the task had attempts left. */
export const BY_ATTEMPTS = "attempts";

/** An attempt of a task that ended without success and was retried, by a person or because it had attempts left. */
export type EarlierAttempt = { agent_turn_id?: string; status: TaskStatus; retried_by: string };

export type BatchTask = {
  batch_task_id: string;
  batch_id: string;
  task_index: number;
  /** task_1, task_2 ... */
  label: string;
  title: string;
  profile_name: string;
  target_strategy: TargetStrategy;
  agent_id: string;
  agent_turn_id?: string;
  status: TaskStatus;
  /** Dispatches so far, including the current one. After a transient failure, next_retry_at says when the next one is due. */
  attempt_count: number;
  /** How often it is tried if it fails; absent = once. */
  attempts_max?: number;
  /** Oldest first. Absent if there was none. */
  earlier?: EarlierAttempt[];
  /** Dispatches of the earlier attempts. Each attempt counts its own tries. */
  tries_before?: number;
  next_retry_at?: string;
  context_box_id?: string;
  output_box_id?: string;
  result?: BranchResult;
  error?: string;
  metadata: Record<string, unknown>;
};

/** Tasks in task_index order. */
export type BatchDetail = Batch & { tasks: BatchTask[] };
