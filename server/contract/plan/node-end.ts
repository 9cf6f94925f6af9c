// How a node or a task of a plan run ended, and whether a track that waits for it is met. Read off rows alone.
import type { BatchStatus, TaskStatus } from "../batch";
import type { EndStatus } from "../turn";
import type { After, Plan } from "./plan";
import type { PlanNodeStatus } from "./plan-run";
import { isTaskPlace, nameOf, nodeIdOf } from "./plan-words";

export type NodeState = {
  status: PlanNodeStatus;
  /** ISO 8601; not before this. */
  next_retry_at: string | null;
  /** A person let it start. */
  is_released: boolean;
  /** They knew of a limit that it passes. */
  passes_limit: boolean;
  /** Who decided, while it was held, that it does not start. */
  skipped_by: string | null;
  headcodes: readonly string[];
  /** Null before its batch. */
  batch_status: BatchStatus | null;
  /** Of its batch, or as they are replayed, in task order. */
  tasks: readonly TaskStatus[];
  /** How the result that it takes had ended. */
  replayed_as?: EndStatus;
  /** Why it is held or skipped. */
  reason?: string | null;
};

export type PlanState = { plan: Plan; nodes: ReadonlyMap<string, NodeState> };

export type NodeEnd = EndStatus | "skipped";

export const isNotStarted = (status: PlanNodeStatus | undefined): boolean => status === "waiting" || status === "held";

/** Null = not over yet. A task is over before its fork is; one that never became a task ends as its fork. */
export function endAt(state: PlanState, place: string): NodeEnd | null {
  const node = state.nodes.get(nodeIdOf(place));
  if (!node || node.status === "waiting" || node.status === "held") return null;
  if (isTaskPlace(place)) {
    const task = node.tasks[taskIndex(state.plan, place)];
    if (task === "pending" || task === "dispatched") return null;
    if (task !== undefined) return task;
  }
  if (node.status === "running") return null;
  return node.status === "replayed" ? (node.replayed_as ?? "success") : node.status;
}

function taskIndex(plan: Pick<Plan, "nodes">, place: string): number {
  const fork = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  return fork?.kind === "fork" ? fork.tasks.findIndex(({ id }) => `${fork.id}.${id}` === place) : -1;
}

const meets: Record<After["on"], (end: NodeEnd) => boolean> = {
  delivered: (end) => end === "success" || end === "partial",
  success: (end) => end === "success",
  failed: (end) => end === "failed" || end === "timeout" || end === "canceled",
  ended: () => true,
};

export type Waited = { from: string; on: After["on"] };

/** False = it can never be met, as the rows stand; null = not decided yet. */
export function isMet(state: PlanState, { from, on }: Waited): boolean | null {
  const end = endAt(state, from);
  return end === null ? null : meets[on](end);
}

const wanted: Record<After["on"], string> = {
  delivered: "its result",
  success: "its success",
  failed: "its failure",
  ended: "its end",
};
const ended: Record<NodeEnd, string> = {
  success: "succeeded",
  partial: "ended partial",
  failed: "failed",
  timeout: "timed out",
  canceled: "was canceled",
  skipped: "was skipped",
};

export function skipReason(state: PlanState, { from, on }: Waited): string {
  return `skipped: ${placeName(state, from)} ${ended[endAt(state, from) ?? "skipped"]}, and it waits for ${wanted[on]}`;
}

/** A wagon's code, where it is one wagon; else its title. */
function placeName({ plan, nodes }: PlanState, place: string): string {
  const node = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const codes = nodes.get(nodeIdOf(place))?.headcodes ?? [];
  if (node?.kind !== "fork") return codes[0] ?? (node ? nameOf(node) : place);
  const index = taskIndex({ nodes: [node] }, place);
  const task = node.tasks[index];
  return task ? (codes[index] ?? nameOf(task)) : nameOf(node);
}
