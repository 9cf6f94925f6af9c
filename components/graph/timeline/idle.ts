// When nothing happened in a run for long: a night, a weekend, an answer that a person owed. Drawn to scale it would leave no room for
// what did happen. Pure.
import type { WorkSpan } from "@/server/contract/run-history";

export type Idle = { from: number; to: number };

/** Longer than this part of the axis, it is cut. */
const IDLE_SHARE = 0.05;
/** Shorter than this it is never cut: a run of a minute is not made of breaks. */
const IDLE_MS_MIN = 5_000;
/** What is left is longer in proportion after each cut. */
const ROUNDS = 8;
/** More breaks than this would leave no room for what is between them. */
const BREAKS_MAX = 24;

/** `points`: moments at which something happened. In order, without overlap, all within the axis. */
export function idleSpans(work: readonly WorkSpan[], points: readonly number[], axis: Idle): Idle[] {
  const gaps = gapsOf(work, points, axis);
  let left = axis.to - axis.from;
  let cut: Idle[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const least = Math.max(IDLE_MS_MIN, left * IDLE_SHARE);
    const next = gaps.filter(({ from, to }) => to - from > least);
    if (next.length === cut.length) break;
    cut = next;
    left = axis.to - axis.from - cut.reduce((sum, { from, to }) => sum + to - from, 0);
  }
  return cut
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, BREAKS_MAX)
    .toSorted((a, b) => a.from - b.from);
}

function gapsOf(work: readonly WorkSpan[], points: readonly number[], axis: Idle): Idle[] {
  const busy: Idle[] = [
    ...work.map(([from, to]) => ({ from, to: to ?? axis.to })),
    ...points.map((at) => ({ from: at, to: at })),
    { from: axis.to, to: axis.to },
  ].sort((a, b) => a.from - b.from);
  const gaps: Idle[] = [];
  let until = axis.from;
  for (const { from, to } of busy) {
    const end = Math.min(axis.to, from);
    if (end > until) gaps.push({ from: until, to: end });
    until = Math.max(until, to);
  }
  return gaps;
}
