// What is said of a batch and of its branches. Pure.
import { batchRule } from "@/components/domain/batch-rule";
import { statusWord } from "@/components/domain/status-words";
import { formatCount } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import type { AspectStatus } from "@/components/ui/sign-words";
import type { Batch } from "@/server/contract/batch";
import type { Branch, LaneStatus } from "@/server/contract/batch-sheet";
import { isEnded } from "@/server/contract/turn";

/** The turn knows more than its task: which of dispatched, running, suspended it is, or that it is queued. */
export function laneOf(branch: Pick<Branch, "status" | "turn">): LaneStatus {
  if (branch.status !== "dispatched" && branch.status !== "pending") return branch.status;
  return branch.turn?.status ?? branch.status;
}

export const laneAspect = (lane: LaneStatus): AspectStatus => (lane === "pending" ? "queued" : lane);

export const isOut = (lane: LaneStatus): boolean => lane === "pending" || !isEnded(lane);

/** A branch is counted by whether it has delivered; for the rest it is a turn like any other. */
export function laneWord(lane: LaneStatus): string {
  if (lane === "pending") return "held back";
  return lane === "success" ? "delivered" : statusWord(lane);
}

const order: readonly LaneStatus[] = [
  "success",
  "partial",
  "running",
  "suspended",
  "dispatched",
  "queued",
  "pending",
  "failed",
  "timeout",
  "canceled",
];

export type Tally = { lane: LaneStatus; count: number };

/** Three delivered, one running, one failed: what came first, what is out next, what went wrong last. */
export function tallyOf(lanes: readonly LaneStatus[]): Tally[] {
  const counts = new Map<LaneStatus, number>();
  for (const lane of lanes) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return order.flatMap((lane) => {
    const count = counts.get(lane);
    return count === undefined ? [] : { lane, count };
  });
}

/** "5 tasks for Search", "A question to Expert": what was handed out to whom. A batch has no name of its own besides B1. */
export function batchName({ tool_name, tasks }: { tool_name: Batch["tool_name"]; tasks: readonly Branch[] }): string {
  const profiles = [...new Set(tasks.map((task) => task.profile_name))];
  const [first = "nobody", second] = profiles;
  if (tool_name === "ask_expert") return `A question to ${first}`;
  const rest = profiles.length - 2;
  const whom =
    second === undefined
      ? first
      : rest <= 0
        ? `${first} and ${second}`
        : `${first}, ${second} and ${formatCount(rest, "other profile")}`;
  return `${formatCount(tasks.length, "task")} for ${whom}`;
}

/** "waits for all, at most 2 at once" */
export function ruleWords(
  batch: Pick<Batch, "fail_fast" | "max_parallel" | "tool_name" | "policy" | "task_count">,
): string {
  const parts = [batchRule(batch)];
  if (batch.max_parallel !== undefined) parts.push(`at most ${batch.max_parallel} at once`);
  return parts.join(", ");
}

/** `code` is set in mono; it is what a machine would name the trouble. */
export type CameBack = { code?: string; text: string; tone: "result" | "trouble" | "waiting" };

/** What a branch has brought, or what it is at. `now` 0 = the reader's clock is not known yet. */
export function cameBack(branch: Branch, attemptsMax: number, now: number): CameBack {
  const lane = laneOf(branch);
  const { turn, result } = branch;
  if (lane === "pending") return pendingWords(branch, attemptsMax, now);
  if (lane === "success" || lane === "partial") {
    const text = plainWords(saidBy(branch) ?? "");
    return { text: text === "" ? "Delivered, without a summary." : text, tone: "result" };
  }
  if (!isOut(lane)) {
    const text = result?.error ?? branch.error ?? turn?.error ?? turn?.note ?? "No reason given.";
    const code = turn?.error_code ?? (lane === "canceled" ? undefined : lane);
    // Errors of dispatch begin with their code; said once is enough.
    return code === undefined || text.startsWith(code)
      ? { text, tone: "trouble" }
      : { code, text: text === code ? "" : text, tone: "trouble" };
  }
  if (lane === "queued") return { text: "Queued: its agent is working on another turn.", tone: "waiting" };
  if (lane === "dispatched")
    return { text: `Waiting for a worker for ${turn?.worker_target ?? "its target"}.`, tone: "waiting" };
  return splitNote(turn?.note ?? (lane === "suspended" ? "Waiting for results." : "At work."));
}

/** In Markdown. The result is written down when the batch ends; until then the deliverable says what it will be. */
export const saidBy = ({ result, deliverable }: Branch): string | undefined => result?.summary ?? deliverable?.title;

function pendingWords(branch: Branch, attemptsMax: number, now: number): CameBack {
  if (branch.earlier !== undefined && branch.next_retry_at === undefined)
    return { text: "It is retried when a slot is free.", tone: "waiting" };
  const left = now === 0 || branch.next_retry_at === undefined ? undefined : Date.parse(branch.next_retry_at) - now;
  const when = left === undefined ? "" : left > 0 ? ` in ${Math.ceil(left / 1000)} s` : " now";
  // Tried again by itself: not one dispatch of this attempt has been made.
  if (branch.earlier !== undefined && branch.attempt_count === branch.tries_before)
    return { text: `Attempt ${branch.earlier.length + 1} of ${branch.attempts_max ?? 1}${when}.`, tone: "waiting" };
  if (branch.attempt_count === 0 || branch.next_retry_at === undefined)
    return { text: "Waiting for a free slot: it starts when another branch ends.", tone: "waiting" };
  const again = `try ${branch.attempt_count - (branch.tries_before ?? 0) + 1} of ${attemptsMax}${when}`;
  return { code: branch.error, text: branch.error === undefined ? `Not dispatched, ${again}` : again, tone: "trouble" };
}

/** Notes begin with the tool: "fetch_url packed-bed review". A tool has an underscore or is followed by nothing. */
function splitNote(note: string): CameBack {
  const [first = "", ...rest] = note.split(" ");
  return first.includes("_") ? { code: first, text: rest.join(" "), tone: "waiting" } : { text: note, tone: "waiting" };
}

export type Square = "done" | "failed" | "running" | "open";

/** One square a dispatch: those that failed, the one that holds, and those left. */
export function attemptSquares(branch: Branch, attemptsMax: number): Square[] {
  const lane = laneOf(branch);
  const failed = Math.min(failedTries(branch), attemptsMax);
  const squares: Square[] = Array.from({ length: failed }, () => "failed");
  if (branch.turn !== undefined && squares.length < attemptsMax)
    squares.push(lane === "success" || lane === "partial" ? "done" : isOut(lane) ? "running" : "failed");
  while (squares.length < attemptsMax) squares.push("open");
  return squares;
}

/** Every dispatch is counted; the one that made the turn did not fail. */
export const failedTries = (branch: Pick<Branch, "attempt_count" | "turn">): number =>
  Math.max(0, branch.attempt_count - (branch.turn === undefined ? 0 : 1));

/** "dispatch 2, attempt 3 after a takeover, epoch 4" */
export function attemptWords(branch: Branch): string {
  const parts = [branch.attempt_count === 0 ? "not dispatched yet" : `dispatch ${branch.attempt_count}`];
  if (branch.turn !== undefined && branch.turn.attempt > 1)
    parts.push(`attempt ${branch.turn.attempt} after a takeover`);
  if (branch.turn !== undefined && branch.turn.turn_epoch > 0) parts.push(`epoch ${branch.turn.turn_epoch}`);
  return parts.join(", ");
}

/** The model's own tokens in it now: what it was given and what it has written. */
export const loadOf = (branch: Branch): number =>
  branch.turn === undefined ? 0 : branch.turn.context_tokens + branch.turn.output_tokens;
