// The steps of a turn on one time scale: when the model thought, when its tools ran, when the turn slept. Pure. Positions are
// parts of the whole (0 to 1).
import { isEnded, type Step } from "@/server/contract/turn";
import type { TurnSheet } from "@/server/contract/turn-sheet";

export type Axis = { from: number; to: number };
export type Tick = { at: number; label: string };
/** model: solid. tool: 42 %. sleep: dotted. */
export type Stretch = { from: number; to: number; kind: "model" | "tool" | "sleep" };

type Timed = Pick<TurnSheet, "steps" | "status" | "created_at" | "started_at" | "ended_at" | "answered_at">;

const SPAN_MS_MIN = 400;
/** A turn is put on again in less; longer between two steps it slept. */
const SLEEP_MS_MIN = 400;

/** `now` 0 = the reader's clock is not known yet: then what is known of the steps sets the end. */
export function axisOf(turn: Timed, now: number): Axis {
  const from = Date.parse(turn.started_at ?? turn.created_at);
  const seen = turn.steps
    .flatMap((step) => [step.started_at, step.ended_at ?? step.started_at])
    .map((at) => Date.parse(at));
  const end = turn.ended_at === undefined ? Math.max(now, from) : Date.parse(turn.ended_at);
  return { from, to: Math.max(from + SPAN_MS_MIN, end, ...seen) };
}

const placeOf = (at: number, { from, to }: Axis): number => Math.min(1, Math.max(0, (at - from) / (to - from)));

/** What one row draws; the sleep after a step belongs to the step that it waits for. */
export function stretchesOf(turn: Timed, index: number, axis: Axis, now: number): Stretch[] {
  const step = turn.steps[index];
  if (step === undefined) return [];
  const began = Date.parse(step.started_at);
  const over = endOf(step, turn, now, axis);
  const answered = turn.answered_at[step.step_id];
  const spoke = answered === undefined ? over : Math.min(over, Math.max(began, Date.parse(answered)));
  const next = turn.steps[index + 1];
  const isAsleep = next === undefined && turn.status === "suspended";
  const wakes = next !== undefined ? Date.parse(next.started_at) : isAsleep ? Math.max(now, over) : over;
  const stretches: Stretch[] = [
    { from: began, to: spoke, kind: "model" },
    { from: spoke, to: over, kind: "tool" },
    ...(wakes - over >= SLEEP_MS_MIN ? [{ from: over, to: wakes, kind: "sleep" as const }] : []),
  ];
  return stretches
    .filter(({ from, to, kind }) => to > from || kind === "model")
    .map(({ from, to, kind }) => ({ from: placeOf(from, axis), to: placeOf(to, axis), kind }));
}

function endOf(step: Step, turn: Timed, now: number, axis: Axis): number {
  if (step.ended_at !== undefined) return Date.parse(step.ended_at);
  // A step whose worker was lost is open until the next one begins; the turn may have ended without it.
  if (isEnded(turn.status)) return axis.to;
  return Math.max(now, Date.parse(step.started_at));
}

/** 0s, 2s, 4s after the start, at most six of them. */
export function ticksOf(axis: Axis, most = 6): Tick[] {
  const span = axis.to - axis.from;
  const size = sizes.find((ms) => span / ms < most) ?? span / most;
  const ticks: Tick[] = [];
  for (let ms = 0; ms < span * 0.97; ms += size) ticks.push({ at: ms / span, label: labelOf(ms, size) });
  return ticks;
}

const sizes = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000];

function labelOf(ms: number, size: number): string {
  if (ms === 0) return "0";
  if (size < 1_000) return `${(ms / 1000).toFixed(size < 200 || size === 250 ? 2 : 1)}s`;
  if (size < 60_000) return `${Math.round(ms / 1000)}s`;
  if (size < 3_600_000) return `${Math.round(ms / 60_000)}m`;
  return `${Math.round(ms / 3_600_000)}h`;
}
