// A row of an agent's inbox: what waits, why, and how old it is.
import type { TurnRef } from "./line";
import type { Page } from "./page";
import { HELD_REASON } from "./run-hold";

export const messageTypes = ["turn", "tool_result", "timeout", "stop", "ui_action"] as const;
export type MessageType = (typeof messageTypes)[number];

export const openInboxStatuses = ["queued", "pending", "deferred", "processing"] as const;
export const inboxStatuses = [...openInboxStatuses, "consumed", "error", "skipped"] as const;
export type InboxStatus = (typeof inboxStatuses)[number];
export const isOpenRow = (status: InboxStatus): boolean => (openInboxStatuses as readonly string[]).includes(status);

export type InboxLine = {
  inbox_id: string;
  agent_id: string;
  profile_name: string;
  display_name?: string;
  message_type: MessageType;
  correlation_id: string;
  agent_turn_id?: string;
  turn_epoch: number;
  worker_target: string;
  /** Its turn's profile names no model. Only a worker of this project that names the target takes it. */
  needs_own_worker: boolean;
  /** Whether a recently seen worker takes this row. */
  is_served: boolean;
  status: InboxStatus;
  attempt: number;
  retry_count: number;
  next_retry_at: string;
  defer_reason?: string;
  last_error?: string;
  claimed_by?: string;
  processed_at?: string;
  archived_at?: string;
  created_at: string;
  /** What it is about. */
  turn?: TurnRef;
  /** If queued: the turn its agent works on, and how many wait before this one. */
  behind?: TurnRef;
  queue_ahead?: number;
  age_ms: number;
  /** Why it waits or how it ended, in words. */
  reason: string;
};

/** `live_cursor` matches the lines: a frame after it may have changed some. */
export type InboxPage = Page<InboxLine> & { live_cursor: string };

/** Why a row waits, or how it ended. `now` in milliseconds. */
export function inboxReason(line: Omit<InboxLine, "age_ms" | "reason">, now: number): string {
  const ended = endWords(line);
  if (ended !== undefined) return ended;
  if (line.status === "queued") return queuedWords(line);
  if (line.status === "processing")
    return `claimed by ${line.claimed_by ?? "a worker"}${since(line.processed_at, now)}, not started`;
  if (line.status === "deferred" && Date.parse(line.next_retry_at) > now)
    return `deferred for ${seconds(Date.parse(line.next_retry_at) - now)}${because(line.defer_reason)}`;
  if (Date.parse(line.next_retry_at) > now) return `due in ${seconds(Date.parse(line.next_retry_at) - now)}`;
  const after = line.status === "deferred" ? `, deferred before${because(line.defer_reason)}` : "";
  return `waits for ${workerWords(line)}${after}`;
}

function workerWords({ worker_target, needs_own_worker, is_served }: Omit<InboxLine, "age_ms" | "reason">): string {
  if (is_served) return `a worker of ${worker_target}`;
  return needs_own_worker
    ? `this project's own worker of ${worker_target}, because its profile names no model, and none is running`
    : `a worker of ${worker_target}, and no worker serves it`;
}

// Headcodes count within a run, and several runs may use one agent: "1S01 queued behind 1S01" made no sense.
function queuedWords(line: Pick<InboxLine, "turn" | "behind" | "queue_ahead" | "defer_reason">): string {
  if (line.defer_reason === HELD_REASON) return "held: its run has reached a limit; raise it in the yard";
  const { turn, behind, queue_ahead = 0 } = line;
  const run = turn?.root_turn_id === behind?.root_turn_id ? "" : " of another run";
  const others = queue_ahead === 0 ? "" : ` and ${queue_ahead} more`;
  if (behind !== undefined) return `queued behind ${behind.headcode}${run}${others}`;
  return queue_ahead === 0 ? "next of its agent, leased within seconds" : `queued behind ${queue_ahead} of its agent`;
}

function endWords(line: Pick<InboxLine, "status" | "last_error" | "defer_reason">): string | undefined {
  if (line.status === "consumed") return "taken up";
  if (line.status === "skipped") return `skipped${because(line.last_error ?? line.defer_reason)}`;
  if (line.status === "error") return `failed${because(line.last_error)}`;
  return undefined;
}

const because = (reason: string | undefined): string =>
  reason === undefined || reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`;

const since = (at: string | undefined, now: number): string =>
  at === undefined ? "" : ` for ${seconds(now - Date.parse(at))}`;

function seconds(ms: number): string {
  const whole = Math.max(0, Math.round(ms / 1000));
  if (whole < 120) return `${whole} s`;
  return whole < 7200 ? `${Math.round(whole / 60)} min` : `${Math.round(whole / 3600)} h`;
}
