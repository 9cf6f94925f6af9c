// The chosen part of the axis, as the address names it.
import type { Idle } from "./idle";

/** null = all of it: a part has two ends, in order. */
export function rangeOf(from: Date | null, to: Date | null): Idle | null {
  return from !== null && to !== null && from < to ? { from: from.getTime(), to: to.getTime() } : null;
}
