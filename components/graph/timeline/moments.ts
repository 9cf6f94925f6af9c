// The moments of a run at which something happened: where a playhead stops that goes from event to event. Pure.
import type { Frame, TurnFrame } from "@/server/contract/frame";
import type { HistoryFrame, RunHistory } from "@/server/contract/run-history";

/** In order, each once. Of a run whose frames are too many: when its turns were made, began and ended. */
export function momentsOf(history: RunHistory | null, turns: readonly TurnFrame[]): number[] {
  const told = history?.is_whole ? eventsOf(history.frames) : turns.flatMap(datesOf);
  return [...new Set(told)].sort((a, b) => a - b);
}

/** That a worker is alive is no event. */
function eventsOf(frames: readonly HistoryFrame[]): number[] {
  const known = new Map<string, string>();
  return frames.flatMap(({ at, frame }) => {
    if (!Number.isFinite(at)) return [];
    const state = stateOf(frame);
    const key = `${frame.kind} ${frame.id}`;
    if (known.get(key) === state) return [];
    known.set(key, state);
    return [at];
  });
}

const stateOf = (frame: Frame): string =>
  frame.kind === "turn"
    ? `${frame.status} ${frame.turn_epoch} ${frame.step_count} ${frame.output_cards} ${frame.note}`
    : String(frame.rev);

const datesOf = ({ created_at, started_at, ended_at }: TurnFrame): number[] =>
  [created_at, started_at, ended_at].flatMap((at) => (at === undefined ? [] : Date.parse(at)));

/** How many have come by then: the place of the playhead among them. */
export function countUntil(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So many events further, or back; at the ends it stays. */
export function stepped(moments: readonly number[], at: number, by: number): number {
  const here = countUntil(moments, at);
  const isOnOne = moments[here - 1] === at;
  const index = by > 0 ? here - 1 + by : here - (isOnOne ? 1 : 0) + by;
  return moments[Math.min(moments.length - 1, Math.max(0, index))] ?? at;
}
