// Which moment comes next while a run is played. Pure.
import type { Idle } from "./idle";
import { stepped } from "./moments";

export const paces = ["1", "4", "16", "64", "event"] as const;
export type Pace = (typeof paces)[number];

/** From one event to the next, so that each can be looked at. */
export const EVENT_MS = 700;

export type Playing = {
  pace: Pace;
  moments: readonly number[];
  /** What is cut from the axis is skipped. */
  idle: readonly Idle[];
  end: number;
};

/** `ms`: of the reader's time since the last picture. */
export function playedTo(at: number, ms: number, { pace, moments, idle, end }: Playing): number {
  if (pace === "event") {
    const next = stepped(moments, at, 1);
    return next > at ? Math.min(next, end) : end;
  }
  const next = at + ms * Number(pace);
  const skipped = idle.find(({ from, to }) => next > from && at < to);
  return Math.min(end, skipped && next < skipped.to ? skipped.to : next);
}
