// Time as pixels, and which bars a turn has. A log without times is drawn in order instead: made-up seconds would be lies.
import { AHEAD, DAY, MINUTE, roundStep } from "@/components/domain/time-axis";
import { two } from "@/components/ui/format";
import type { TurnFrame } from "@/server/contract/frame";
import { type Span, type StepTime, spansOf } from "@/server/contract/spans";
import { isEnded } from "@/server/contract/turn";

export type TimeScale = {
  from: number;
  to: number;
  /** False when the turns carry no times: then a turn is as wide as the next one. */
  is_timed: boolean;
};
export type Tick = { at: number; label: string; isMajor: boolean };

const SPAN_MS_MIN = 10_000;
/** Shorter waits cannot be told from the seam of two steps. */
const WAIT_PX_MIN = 3;

/** `hasTimes` is false for a run whose log had no clock. */
export function timeScale(turns: readonly TurnFrame[], now: number, hasTimes = true): TimeScale {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let isLive = false;
  let isTimed = false;
  for (const turn of turns) {
    const start = Date.parse(turn.created_at);
    from = Math.min(from, start);
    to = Math.max(to, turn.ended_at === undefined ? start : Date.parse(turn.ended_at));
    isTimed ||= turn.started_at !== undefined || !isEnded(turn.status);
    isLive ||= !isEnded(turn.status);
  }
  if (!hasTimes || !isTimed || !Number.isFinite(from))
    return { from: 0, to: Math.max(1, turns.length), is_timed: false };
  if (isLive) to = Math.max(to, now);
  const span = Math.max(SPAN_MS_MIN, to - from);
  return { from, to: from + span * (1 + AHEAD), is_timed: true };
}

export type BarsInput = {
  turn: TurnFrame;
  /** Its place in the order, for logs without times. */
  index: number;
  steps: readonly StepTime[];
  scale: TimeScale;
  now: number;
};

export function barsOf({ turn, index, steps, scale, now }: BarsInput): Span[] {
  return scale.is_timed ? spansOf(turn, steps, now) : [{ from: index, to: index + 1, kind: "work" }];
}

/** What is narrower than a pixel would only blur: it goes with what is before it, and a wait between two steps is their seam. */
export function drawnBars(bars: readonly Span[], scale: TimeScale, width: number): Span[] {
  const pixels = width / (scale.to - scale.from);
  const drawn: Span[] = [];
  for (const bar of bars) {
    const last = drawn.at(-1);
    const size = (bar.to - bar.from) * pixels;
    if (last === undefined || size >= (bar.kind === "wait" ? WAIT_PX_MIN : 1)) drawn.push({ ...bar });
    else if (bar.kind !== "wait") last.to = bar.to;
  }
  return drawn;
}

/** Round times, at most `most` of them. */
export function ticksOf(scale: TimeScale, most: number): Tick[] {
  const span = scale.to - scale.from;
  if (!scale.is_timed) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((s) => span / s <= most) ?? span;
    return range(0, span - 1, step).map((at) => ({ at: at + 0.5, label: String(at + 1), isMajor: true }));
  }
  const step = roundStep(span, most);
  // Round in the reader's zone: a day begins at their midnight.
  const zone = new Date(scale.from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((scale.from - zone) / step) * step + zone;
  return range(first, scale.to, step).map((at) => tickAt(at, step));
}

export const positionOf = (at: number, scale: TimeScale, width: number): number =>
  ((at - scale.from) / (scale.to - scale.from)) * width;

function tickAt(at: number, step: number): Tick {
  const date = new Date(at);
  if (step >= DAY) return { at, label: `${two(date.getDate())}.${two(date.getMonth() + 1)}.`, isMajor: true };
  const isMajor = step >= MINUTE || date.getSeconds() === 0;
  return {
    at,
    label: isMajor ? `${two(date.getHours())}:${two(date.getMinutes())}` : `:${two(date.getSeconds())}`,
    isMajor,
  };
}

function range(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  for (let at = from; at <= to && values.length < 1000; at += step) values.push(at);
  return values;
}
