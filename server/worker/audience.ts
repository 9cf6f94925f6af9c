// Which turns are watched: a turn that nobody watches sends nothing while it thinks.
import type { WatchRing } from "@/server/kernel/kernel";

export type Audience = {
  hear: (ring: WatchRing) => void;
  isThere: (turn: Watched) => boolean;
  /** `onLatecomer` is called when someone wants to hear everything from the start. Returns how to leave. */
  perform: (turn: Watched, onLatecomer: () => void) => () => void;
};

type Watched = { project_id: string; agent_turn_id: string };

// Three times the pause that watchers leave between two rings.
const patienceMs = 12_000;

export function createAudience(now: () => number = Date.now): Audience {
  const until = new Map<string, number>();
  const performers = new Map<string, Set<() => void>>();
  const keyOf = (turn: Watched) => `${turn.project_id} ${turn.agent_turn_id}`;
  return {
    hear: (ring) => {
      for (const [key, end] of until) if (end < now()) until.delete(key);
      until.set(keyOf(ring), now() + patienceMs);
      if (ring.wants_all) for (const onLatecomer of performers.get(keyOf(ring)) ?? []) onLatecomer();
    },
    isThere: (turn) => (until.get(keyOf(turn)) ?? 0) >= now(),
    perform: (turn, onLatecomer) => {
      const key = keyOf(turn);
      const own = performers.get(key) ?? new Set();
      performers.set(key, own.add(onLatecomer));
      return () => {
        own.delete(onLatecomer);
        if (own.size === 0 && performers.get(key) === own) performers.delete(key);
      };
    },
  };
}
