// All branches on one time scale: from the fork to the join, or to now. Positions are parts of the whole (0 to 1), so the
// column may be as wide as it likes.
import { AHEAD, HOUR, roundStep } from "@/components/domain/time-axis";
import { two } from "@/components/ui/format";
import type { Batch } from "@/server/contract/batch";
import type { Branch } from "@/server/contract/batch-sheet";
import { type SpanKind, spansOf } from "@/server/contract/spans";

export type Axis = { from: number; to: number };
export type AxisTick = { at: number; label: string };
export type Stretch = { from: number; to: number; kind: SpanKind };

const SPAN_MS_MIN = 5000;
/** Shorter waits are the seam of two steps: drawn, they were a dot that meant nothing. */
const WAIT_MIN = 0.008;

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
  const step = roundStep(span, most);
  const ticks: AxisTick[] = [];
  for (let ms = 0; ms <= span && ticks.length <= most; ms += step)
    ticks.push({ at: ms / span, label: elapsed(ms, step) });
  return ticks;
}

/** What one row draws; the last of it grows to now while the branch runs. */
export function stretchesOf(branch: Branch, axis: Axis, now: number): Stretch[] {
  if (branch.turn === undefined) return [];
  const spans = spansOf(branch.turn, branch.steps, Math.max(now, axis.from));
  return spans
    .map(({ from, to, kind }) => ({
      from: placeOf(from, axis),
      to: placeOf(to, axis),
      // On the board a branch that waits for its worker waits like any other.
      kind: kind === "queue" ? "wait" : kind,
    }))
    .filter(({ from, to, kind }) => kind !== "wait" || to - from >= WAIT_MIN);
}

function elapsed(ms: number, step: number): string {
  const whole = Math.round(ms / 1000);
  if (step >= HOUR) return `${Math.floor(whole / 3600)}h`;
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
