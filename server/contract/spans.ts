// A turn over time: when its model answered, when its tools ran, when it waited. Computed only from its steps' times, so that
// the yard and the board draw the same bar.
import type { TurnFrame } from "./frame";
import type { Step } from "./turn";

/** `answered_at`: the model has answered; the rest of the step is its tools. */
export type StepTime = Pick<Step, "ordinal" | "status" | "started_at" | "ended_at"> & {
  answered_at?: string;
  /** Its worker was lost: when work stopped is unknown, so it ends where another worker continued. */
  is_lost?: true;
};
/** Steps in order. Very long lists are cut: the turn's `step_count` says how many there are. */
export type TurnSteps = { agent_turn_id: string; steps: StepTime[] };

/** At most this many turns in one request. */
export const STEP_TURNS_MAX = 128;

/** queue: created, and not begun. work: running, but its steps are unknown. */
export type SpanKind = "model" | "tool" | "wait" | "queue" | "work";
/** In milliseconds since 1970. Spans follow each other without overlap. */
export type Span = { from: number; to: number; kind: SpanKind };

type Timed = Pick<TurnFrame, "created_at" | "started_at" | "ended_at" | "heartbeat_at" | "status" | "step_count">;

export function spansOf(turn: Timed, steps: readonly StepTime[], now: number): Span[] {
  const born = Date.parse(turn.created_at);
  const end = Math.max(born, turn.ended_at === undefined ? now : Date.parse(turn.ended_at));
  if (turn.started_at === undefined) return filled([{ from: born, to: end, kind: "queue" }]);
  const start = Math.min(end, Math.max(born, Date.parse(turn.started_at)));
  const begun: Span = { from: born, to: start, kind: "queue" };
  return filled([begun, ...(steps.length === 0 ? unknown(turn, start, end) : known(turn, steps, start, end))]);
}

/** The frame does not say when it was suspended; its last heartbeat is the latest time it was seen working. */
function unknown(turn: Timed, start: number, end: number): Span[] {
  if (turn.status !== "suspended") return [{ from: start, to: end, kind: "work" }];
  const beat = turn.heartbeat_at === undefined ? start : Date.parse(turn.heartbeat_at);
  const asleep = Math.min(end, Math.max(start, beat));
  return [
    { from: start, to: asleep, kind: "work" },
    { from: asleep, to: end, kind: "wait" },
  ];
}

function known(turn: Timed, steps: readonly StepTime[], start: number, end: number): Span[] {
  const spans: Span[] = [];
  let at = start;
  const within = (time: number) => Math.min(end, Math.max(at, time));
  const until = (to: number, kind: SpanKind) => {
    spans.push({ from: at, to, kind });
    at = to;
  };
  for (const [index, step] of steps.entries()) {
    until(within(Date.parse(step.started_at)), "wait");
    const answered = step.answered_at === undefined ? undefined : within(Date.parse(step.answered_at));
    const over = within(endOf(turn, steps, index, end));
    until(Math.min(over, answered ?? (step.is_lost ? at : over)), "model");
    until(over, step.is_lost ? "wait" : "tool");
  }
  until(end, turn.step_count > steps.length ? "work" : "wait");
  return spans;
}

/** A step whose worker was lost never ends: it stays open until the next begins. A suspended turn is in no step. */
function endOf(turn: Timed, steps: readonly StepTime[], index: number, end: number): number {
  const step = steps[index];
  if (step?.ended_at !== undefined) return Date.parse(step.ended_at);
  const next = steps[index + 1];
  if (next !== undefined) return Date.parse(next.started_at);
  return turn.status === "suspended" ? Date.parse(step?.answered_at ?? step?.started_at ?? "") : end;
}

const filled = (spans: readonly Span[]): Span[] => spans.filter((span) => span.to > span.from);

/** The time spent on each, for the text next to the picture. */
export function spanTotals(spans: readonly Span[]): Record<SpanKind, number> {
  const totals: Record<SpanKind, number> = { model: 0, tool: 0, wait: 0, queue: 0, work: 0 };
  for (const { from, to, kind } of spans) totals[kind] += to - from;
  return totals;
}
