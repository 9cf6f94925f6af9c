// Rows of the inbox by who they wait for. Pure.
import type { AspectStatus } from "@/components/ui/sign-words";
import { type InboxLine, type InboxStatus, isOpenRow, type MessageType } from "@/server/contract/inbox-line";

export const groupings = ["agent", "target"] as const;
export type Grouping = (typeof groupings)[number];

export type InboxGroup = {
  key: string;
  /** In the order they came in, the oldest first. */
  lines: InboxLine[];
};

/** Groups in the order of their oldest row; what has ended is no group's. */
export function groupLines(lines: readonly InboxLine[], by: Grouping): { groups: InboxGroup[]; ended: InboxLine[] } {
  const groups = new Map<string, InboxGroup>();
  const ended: InboxLine[] = [];
  for (const line of lines) {
    if (!isOpenRow(line.status)) {
      ended.push(line);
      continue;
    }
    const key = by === "agent" ? line.agent_id : line.worker_target;
    const group = groups.get(key) ?? { key, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return { groups: [...groups.values()], ended };
}

/** Queued behind another it needs no worker yet; in hand it has one. */
export const isStarved = ({ status, is_served }: Pick<InboxLine, "status" | "is_served">): boolean =>
  !is_served && (status === "pending" || status === "deferred");

/**
 * The targets whose workers are missing. `own`: a project's own program takes them, because their profile names no model;
 * the built-in worker, which a command would start, leaves them.
 */
export function missingWorkers({ lines }: Pick<InboxGroup, "lines">): { built_in: string[]; own: string[] } {
  const starved = lines.filter(isStarved);
  const targetsOf = (some: readonly InboxLine[]) => [...new Set(some.map((line) => line.worker_target))];
  return {
    built_in: targetsOf(starved.filter((line) => !line.needs_own_worker)),
    own: targetsOf(starved.filter((line) => line.needs_own_worker)),
  };
}

export const rowAspect: Record<InboxStatus, AspectStatus> = {
  queued: "queued",
  pending: "dispatched",
  deferred: "suspended",
  processing: "running",
  consumed: "success",
  error: "failed",
  skipped: "canceled",
};

export const typeWords: Record<MessageType, string> = {
  turn: "turn",
  tool_result: "result of a tool",
  timeout: "timeout",
  stop: "stop",
  ui_action: "launch",
};

/** "try 2, put off 3 times" */
export function triesOf(line: Pick<InboxLine, "attempt" | "retry_count">): string {
  const parts: string[] = [];
  if (line.attempt > 1) parts.push(`attempt ${line.attempt}`);
  if (line.retry_count > 0) parts.push(line.retry_count === 1 ? "put off once" : `put off ${line.retry_count} times`);
  return parts.length === 0 ? "first try" : parts.join(", ");
}
