// What is said about a batch, on its frame, in the lists and to a screen reader: the same words everywhere.
import { batchRule } from "@/components/domain/batch-rule";
import type { BatchFrame, BatchTaskFrame } from "@/server/contract/frame";
import type { BatchView, BatchViews } from "./plan/batch-view";

/** "fork of 5" */
export const batchTitle = (batch: BatchFrame): string =>
  batch.tool_name === "ask_expert" ? "question" : `fork of ${batch.task_count}`;

export const parallelWords = (batch: BatchFrame): string | null =>
  batch.max_parallel === undefined || batch.max_parallel >= batch.task_count ? null : `${batch.max_parallel} at once`;

/** "3 of 5" */
export const progressWords = ({ batch, counts }: BatchView): string => `${counts.delivered} of ${batch.task_count}`;

/** "1 still running, 2 held back": nothing when all have come in. */
export function awaitedWords({ counts }: BatchView): string {
  return [counts.out > 0 ? `${counts.out} still running` : null, counts.held > 0 ? `${counts.held} held back` : null]
    .filter((words) => words !== null)
    .join(", ");
}

/** What a turn that forked waits for: "Waits for B1, 1 still running". An expert that is asked has no name of its own. */
export function awaitedBatchWords(batches: BatchViews, agentTurnId: string): string | null {
  for (const view of batches.values()) {
    if (view.batch.status !== "running" || view.batch.parent_agent_turn_id !== agentTurnId) continue;
    // Its caller waits for the plan.
    if (view.batch.plan_run_id !== undefined) continue;
    if (view.batch.tool_name === "ask_expert") return "Waiting for an expert";
    const awaited = awaitedWords(view);
    return awaited === "" ? `Waiting for ${view.name}` : `Waiting for ${view.name}, ${awaited}`;
  }
  return null;
}

/** Whole milliseconds until its deadline; null without one, and when it has ended. */
export function leftMs(batch: BatchFrame, now: number): number | null {
  if (batch.status !== "running" || batch.deadline_at === undefined || now === 0) return null;
  return Math.max(0, Date.parse(batch.deadline_at) - now);
}

/** What a task without a turn waits for, or why it never had one. */
export function heldWords(task: BatchTaskFrame | undefined, batch: BatchFrame, now: number): string {
  if (!task) return batch.status === "running" ? "about to be sent" : "never sent";
  if (task.status !== "pending") return task.error ?? `${task.status} before it was sent`;
  if (batch.status !== "running") return "never sent";
  const due = task.next_retry_at === undefined ? 0 : Date.parse(task.next_retry_at) - now;
  const tries = task.attempt_count > 0 ? `, try ${task.attempt_count + 1}` : "";
  if (task.attempt_count > 0 && now > 0 && due > 0) return `retry in ${Math.ceil(due / 1000)} s${tries}`;
  if (task.attempt_count > 0) return `retry due${tries}`;
  return "waits for a slot";
}

/** "B1, fork of 5, running, 3 of 5 delivered, 1 still running, 1 failed, stops at a failure, 2 at once" */
export function spokenBatch(view: BatchView): string {
  const { batch, name, counts } = view;
  return [
    name,
    batchTitle(batch),
    batch.status,
    `${progressWords(view)} delivered`,
    awaitedWords(view),
    counts.failed > 0 ? `${counts.failed} failed` : "",
    counts.canceled > 0 ? `${counts.canceled} canceled` : "",
    batchRule(batch),
    parallelWords(batch) ?? "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Said after a turn: "task 4 of 5 of B1"; an expert answers a question. */
export function branchWords(view: BatchView | undefined, taskIndex: number | undefined): string | null {
  if (!view || taskIndex === undefined) return null;
  if (view.batch.tool_name === "ask_expert") return "asked";
  if (view.batch.tool_name === "plan_wagon") return "a step of a plan";
  return `task ${taskIndex + 1} of ${view.batch.task_count} of ${view.name}`;
}
