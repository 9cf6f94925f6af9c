// The shortest way through a circle of waiting nodes, for a message that a person can follow.
import { nodeIdOf } from "./plan-words";
import type { Track } from "./tracks";

/** The tracks from `start` back to itself, in the order of starting. Empty = it is in no circle. */
export function shortestRing(edges: ReadonlyMap<string, readonly Track[]>, start: string): Track[] {
  // Backwards, from a node to what it waits for: `after` is the track by which a node was reached, and the node it leads to.
  const reached = new Map<string, { track: Track; to: string }>();
  const queue = [start];
  for (const id of queue) {
    for (const track of edges.get(id) ?? []) {
      const from = nodeIdOf(track.from);
      if (reached.has(from)) continue;
      reached.set(from, { track, to: id });
      if (from === start) return ringFrom(reached, start);
      queue.push(from);
    }
  }
  return [];
}

function ringFrom(reached: ReadonlyMap<string, { track: Track; to: string }>, start: string): Track[] {
  const ring: Track[] = [];
  let id = start;
  do {
    const step = reached.get(id);
    if (!step) break;
    ring.push(step.track);
    id = step.to;
  } while (id !== start);
  return ring;
}
