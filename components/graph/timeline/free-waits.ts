// The waits in a lane of an agent: a turn that was queued while its agent did another has a line only where the lane is free, or it
// would run through the bars of the other. Pure.
import type { Span } from "@/server/contract/spans";
import type { TimelineRow } from "./agent-rows";
import type { Idle } from "./idle";

/** When turns of the row were at work, in order, without overlap. */
export function busyOf({ turns }: TimelineRow, now: number): Idle[] {
  const spans = turns
    .flatMap(({ started_at, ended_at }) =>
      started_at === undefined
        ? []
        : [{ from: Date.parse(started_at), to: ended_at === undefined ? now : Date.parse(ended_at) }],
    )
    .sort((a, b) => a.from - b.from);
  const busy: Idle[] = [];
  for (const span of spans) {
    const last = busy.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else busy.push(span);
  }
  return busy;
}

/** `bars` of one turn of the row. */
export function freeWaits(bars: readonly Span[], busy: readonly Idle[]): Span[] {
  return bars.flatMap((bar) => (bar.kind === "queue" ? without(bar, busy) : [bar]));
}

function without(bar: Span, busy: readonly Idle[]): Span[] {
  const free: Span[] = [];
  let at = bar.from;
  for (let i = firstAfter(busy, bar.from); i < busy.length; i++) {
    const other = busy[i];
    if (!other || other.from >= bar.to) break;
    if (other.from > at) free.push({ ...bar, from: at, to: other.from });
    at = Math.max(at, other.to);
  }
  if (at < bar.to) free.push({ ...bar, from: at });
  return free;
}

/** The first that ends after a moment. */
function firstAfter(busy: readonly Idle[], at: number): number {
  let [low, high] = [0, busy.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((busy[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
