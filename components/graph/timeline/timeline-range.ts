// The chosen part of the axis: as the address names it, within its run, and with one of its ends moved. Pure.
import type { Idle } from "./idle";

/** A part shorter than this shows nothing. */
export const RANGE_MS_MIN = 50;

/** null = all of it: a part has two ends, in order. */
export function rangeOf(from: Date | null, to: Date | null): Idle | null {
  return from !== null && to !== null && from < to ? { from: from.getTime(), to: to.getTime() } : null;
}

/** What the address names may begin before the run, or end after it: an axis from 1970 on would show nothing. */
export function partOf(range: Idle | null, run: Idle): Idle | null {
  if (range === null) return null;
  const [from, to] = [Math.max(range.from, run.from), Math.min(range.to, run.to)];
  return to - from < RANGE_MS_MIN ? null : { from, to };
}

export type RangeEnd = "from" | "to";

/** One end comes to a moment: within the run, and never past the other end. */
export function movedEnd(part: Idle, end: RangeEnd, at: number, run: Idle): Idle {
  const to = Math.round(Math.min(run.to, Math.max(run.from, at)));
  return end === "from"
    ? { ...part, from: Math.max(run.from, Math.min(to, part.to - RANGE_MS_MIN)) }
    : { ...part, to: Math.min(run.to, Math.max(to, part.from + RANGE_MS_MIN)) };
}
