// All branches on one time scale: from the fork to the join, or to now. Positions are parts of the whole (0 to 1), so the
// column may be as wide as it likes.
import type { Batch } from "@/server/contract/batch";
import type { Branch } from "@/server/contract/batch-sheet";

export type Axis = { from: number; to: number };
export type AxisTick = { at: number; label: string };
/** wait: nobody has begun it, it sleeps, or its worker was lost. model: a step. tool: between two steps. */
export type Stretch = { from: number; to: number; kind: "wait" | "model" | "tool" };

const SPAN_MS_MIN = 5000;
/** Room right of what grows, so that the line of now is not the edge. */
const AHEAD = 0.06;

/** `now` 0 = the reader's clock is not known yet: then what is known of the branches sets the end. */
export function axisOf(batch: Batch, branches: readonly Branch[], now: number): Axis {
  const from = Date.parse(batch.created_at);
  const to = Math.max(seenUntil(batch, branches), batch.ended_at === undefined ? now : 0);
  const span = Math.max(SPAN_MS_MIN, to - from);
  return { from, to: from + span * (1 + AHEAD) };
}

/** The last moment that anything of it tells of. */
export function seenUntil(batch: Batch, branches: readonly Branch[]): number {
  let to = Date.parse(batch.ended_at ?? batch.created_at);
  for (const { turn } of branches)
    for (const at of [turn?.ended_at, turn?.started_at, turn?.heartbeat_at])
      if (at !== undefined) to = Math.max(to, Date.parse(at));
  return to;
}

export const placeOf = (at: number, axis: Axis): number =>
  Math.min(1, Math.max(0, (at - axis.from) / (axis.to - axis.from)));

/** 0:00, 1:00, 2:00 after the fork, at most `most` of them. */
export function axisTicks(axis: Axis, most = 6): AxisTick[] {
  const span = axis.to - axis.from;
  const step = steps.find((size) => span / size < most) ?? Math.ceil(span / most / DAY) * DAY;
  const ticks: AxisTick[] = [];
  for (let ms = 0; ms <= span && ticks.length <= most; ms += step)
    ticks.push({ at: ms / span, label: elapsed(ms, step) });
  return ticks;
}

/** Neighbours of one kind are one stretch; the last one grows to now while the branch runs. */
export function stretchesOf(branch: Branch, axis: Axis, now: number): Stretch[] {
  const { turn } = branch;
  if (turn === undefined) return [];
  const end = turn.ended_at === undefined ? Math.max(now, axis.from) : Date.parse(turn.ended_at);
  const born = Date.parse(turn.created_at);
  if (turn.started_at === undefined) return cut([{ from: born, to: end, kind: "wait" }], axis);
  const start = Date.parse(turn.started_at);
  const stretches: Stretch[] = [{ from: born, to: start, kind: "wait" }];
  // A step of an attempt that was taken over may never have ended, and one of the new attempt may begin inside it.
  let at = start;
  for (const step of branch.steps) {
    const began = Math.min(Math.max(at, Date.parse(step.started_at)), end);
    const over = Math.min(end, step.ended_at === undefined ? end : Math.max(began, Date.parse(step.ended_at)));
    stretches.push(
      { from: at, to: began, kind: "tool" },
      { from: began, to: over, kind: step.is_lost ? "wait" : "model" },
    );
    at = over;
  }
  const isAsleep = turn.status === "suspended";
  stretches.push({ from: at, to: end, kind: isAsleep ? "wait" : "tool" });
  return cut(stretches, axis);
}

function cut(stretches: readonly Stretch[], axis: Axis): Stretch[] {
  return stretches.flatMap(({ from, to, kind }) => {
    if (to <= from) return [];
    return { from: placeOf(from, axis), to: placeOf(to, axis), kind };
  });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR),
  DAY,
];

function elapsed(ms: number, step: number): string {
  const whole = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  if (step >= HOUR) return `${Math.floor(whole / 3600)}h`;
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
