// What is said about a turn, in the wagon, in the lists and to a screen reader: the same words everywhere.
import { profileLabel } from "@/components/domain/agent-names";
import { spokenGauge } from "@/components/domain/gauge-words";
import { formatDuration } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import type { TurnFrame } from "@/server/contract/frame";
import { type Span, spanTotals } from "@/server/contract/spans";
import { gaugeOf } from "@/server/contract/tokens";
import { isEnded } from "@/server/contract/turn";

/** People have no profile worth reading. */
export const turnLabel = (turn: TurnFrame): string => (turn.is_human ? "person" : profileLabel(turn.profile_name));

/** In one line on a phone: who it is. Branches of a fork mostly have one profile, so there the task tells them apart. */
export const phoneLabel = (turn: TurnFrame): string =>
  (turn.primitive === "fork_join" && turn.task_index !== undefined && plainWords(turn.title)) || turnLabel(turn);

/** What it does now, or how it ended; without that, what it was asked for. */
export function noteOf(turn: TurnFrame): string {
  if (isFailure(turn)) return turn.error ?? turn.note ?? turn.error_code ?? turn.title;
  if (turn.status === "dispatched" && turn.note === undefined) return "Waiting for a worker";
  return plainWords(turn.note ?? turn.title).replace(/^summary: /, "");
}

/** From further away, beside who it is: what it was asked for, or what it said in a log. */
export const chipWords = (turn: TurnFrame): string => plainWords(turn.title) || noteOf(turn);

export const isFailure = (turn: TurnFrame): boolean => turn.status === "failed" || turn.status === "timeout";

const isImported = (turn: TurnFrame): boolean => turn.profile_name.startsWith("import:");

/** Ended, and what it delivered was written for it because it did not: a log's missing reply ends `partial`. */
export const endedWithoutDeliverable = (turn: TurnFrame): boolean =>
  isFailure(turn) ||
  turn.status === "canceled" ||
  (turn.status === "partial" && (turn.error_code !== undefined || isImported(turn)));

/** The caller of these goes on at once and never hears of them again. The reply of an imported turn is in its log. */
export const neverReturns = (turn: TurnFrame): boolean =>
  !turn.is_human && !isImported(turn) && returnless.has(turn.primitive);

const returnless = new Set<TurnFrame["primitive"]>(["delegate_async", "launch_principal", "ui_action"]);

export const consistOf = (turn: TurnFrame): string =>
  turn.context_consist === "" || turn.output_consist === ""
    ? turn.context_consist + turn.output_consist
    : `${turn.context_consist} ${turn.output_consist}`;

/** Null where the turn has no time of its own: not begun, or read from a log without times. */
export function elapsedMs(turn: TurnFrame, now: number): number | null {
  const since = turn.started_at ?? (isEnded(turn.status) ? undefined : turn.created_at);
  if (since === undefined) return null;
  const until = turn.ended_at === undefined ? now : Date.parse(turn.ended_at);
  const ms = until - Date.parse(since);
  if (turn.ended_at !== undefined) return ms > 0 ? ms : null;
  // The server's clock may be a little ahead; a running turn counts whole seconds, tenths would stand still.
  return Math.max(0, Math.floor(ms / 1000)) * 1000;
}

/** "2S04, Associate_Search, running, 45 percent of window"; `more` is what the yard knows of it besides. */
export function spokenTurn(turn: TurnFrame, more: readonly (string | null | undefined)[] = []): string {
  const gauge = gaugeOf(turn);
  return [
    turn.headcode,
    turnLabel(turn),
    turn.status,
    gauge === null ? undefined : spokenGauge(gauge),
    turn.mark === undefined ? undefined : "named as the mistake",
    ...more,
  ]
    .filter((part) => part !== undefined && part !== null && part !== "")
    .join(", ");
}

/** "model 12s, tools 3.1s, waiting 40s": what the tones of its bar say. Null while nothing is known of its steps. */
export function spanWords(spans: readonly Span[]): string | null {
  const totals = spanTotals(spans);
  if (totals.model === 0) return null;
  const words = { model: "model", tool: "tools", wait: "waiting", queue: "in the queue" } as const;
  return (["model", "tool", "wait", "queue"] as const)
    .filter((kind) => totals[kind] >= 100)
    .map((kind) => `${words[kind]} ${formatDuration(totals[kind])}`)
    .join(", ");
}
