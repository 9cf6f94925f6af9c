// Time as pixels, and which bars a turn has. A log without times is drawn in order instead: made-up seconds would be lies.
import { AHEAD, DAY, fineStep, MINUTE, SECOND } from "@/components/domain/time-axis";
import { two } from "@/components/ui/format";
import type { TurnFrame } from "@/server/contract/frame";
import { type Span, type StepTime, spansOf } from "@/server/contract/spans";
import { isEnded } from "@/server/contract/turn";
import type { Idle } from "./idle";

export type TimeScale = {
  from: number;
  to: number;
  /** False when the turns carry no times: then a turn is as wide as the next one. */
  is_timed: boolean;
  /** Idle time that is cut, in order: each is as wide as the next. */
  breaks?: readonly Idle[];
};
export type Tick = { at: number; label: string; isMajor: boolean };

/** Of a run that goes on: the axis of its first seconds would shrink with each picture. */
const LIVE_MS_MIN = 10_000;
/** Of one that has ended, however brief: it fills its axis. */
const ENDED_MS_MIN = 10;
/** Left of the axis: the names of rows. */
export const LABELS = 96;
/** What a break takes of the axis. */
export const BREAK_PX = 30;
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
  const span = Math.max(isLive ? LIVE_MS_MIN : ENDED_MS_MIN, to - from);
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

/** A part of the axis, or the axis with its idle time cut. */
export function within(scale: TimeScale, range: Idle | null, breaks: readonly Idle[]): TimeScale {
  if (!scale.is_timed) return scale;
  const { from, to } = range ?? scale;
  const cut = breaks.filter((idle) => idle.from >= from && idle.to <= to);
  if (range !== null || cut.length === 0) return { ...scale, from, to, breaks: cut };
  // The room right of the newest end is a part of what is left.
  const end = from + (to - from) / (1 + AHEAD);
  const flow = Math.max(ENDED_MS_MIN, end - from - lengthOf(cut));
  return { ...scale, to: end + flow * AHEAD, breaks: cut };
}

const lengthOf = (spans: readonly Idle[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** What is narrower than a pixel would only blur: it goes with what is before it, and a wait between two steps is their seam. */
export function drawnBars(bars: readonly Span[], scale: TimeScale, width: number): Span[] {
  const drawn: Span[] = [];
  for (const bar of bars) {
    const [from, to] = [Math.max(bar.from, scale.from), Math.min(bar.to, scale.to)];
    if (to <= from) continue;
    const last = drawn.at(-1);
    const size = positionOf(to, scale, width) - positionOf(from, scale, width);
    if (last === undefined || size >= (bar.kind === "wait" ? WAIT_PX_MIN : 1)) drawn.push({ ...bar, from, to });
    else if (bar.kind !== "wait") last.to = to;
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
  const breaks = scale.breaks ?? [];
  const step = fineStep(span - lengthOf(breaks), most);
  // Round in the reader's zone: a day begins at their midnight.
  const zone = new Date(scale.from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((scale.from - zone) / step) * step + zone;
  return shownParts(scale)
    .flatMap((part) => range(first + Math.max(0, Math.ceil((part.from - first) / step)) * step, part.to, step))
    .map((at) => tickAt(at, step));
}

/** The axis without its breaks. */
function shownParts({ from, to, breaks = [] }: TimeScale): Idle[] {
  const parts: Idle[] = [];
  let at = from;
  for (const idle of breaks) {
    parts.push({ from: at, to: idle.from });
    at = idle.to;
  }
  return [...parts, { from: at, to }];
}

/** Pixels for a millisecond, outside of breaks. */
function paceOf({ from, to, breaks = [] }: TimeScale, width: number): number {
  return Math.max(1, width - breaks.length * BREAK_PX) / Math.max(1, to - from - lengthOf(breaks));
}

export function positionOf(at: number, scale: TimeScale, width: number): number {
  const { from, breaks = [] } = scale;
  if (breaks.length === 0) return ((at - from) / (scale.to - from)) * width;
  const pace = paceOf(scale, width);
  let [x, start] = [0, from];
  for (const idle of breaks) {
    if (at <= idle.from) break;
    x += (idle.from - start) * pace;
    if (at < idle.to) return x + (BREAK_PX * (at - idle.from)) / (idle.to - idle.from);
    x += BREAK_PX;
    start = idle.to;
  }
  return x + (at - start) * pace;
}

/** The way back: which moment is there. */
export function momentAt(x: number, scale: TimeScale, width: number): number {
  const { from, breaks = [] } = scale;
  const pace = paceOf(scale, width);
  let [left, start] = [x, from];
  for (const idle of breaks) {
    const wide = (idle.from - start) * pace;
    if (left <= wide) break;
    left -= wide;
    if (left < BREAK_PX) return idle.from + (left / BREAK_PX) * (idle.to - idle.from);
    left -= BREAK_PX;
    start = idle.to;
  }
  return start + left / pace;
}

function tickAt(at: number, step: number): Tick {
  const date = new Date(at);
  if (step >= DAY) return { at, label: `${two(date.getDate())}.${two(date.getMonth() + 1)}.`, isMajor: true };
  const isMajor = step >= MINUTE || (date.getSeconds() === 0 && date.getMilliseconds() === 0);
  const fine =
    step < SECOND
      ? `.${String(date.getMilliseconds())
          .padStart(3, "0")
          .slice(0, step < 100 ? 3 : 1)}`
      : "";
  return {
    at,
    label: isMajor ? `${two(date.getHours())}:${two(date.getMinutes())}` : `:${two(date.getSeconds())}${fine}`,
    isMajor,
  };
}

function range(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  for (let at = from; at <= to && values.length < 1000; at += step) values.push(at);
  return values;
}
