// The moment that the yard shows, when it is not now. Beside the address, which is written only when a hand rests: the playhead moves
// with every picture of the screen. Free of any framework.
import type { HistorySource, RunHistory } from "@/server/contract/run-history";

export type TimeState = {
  /** In milliseconds since 1970; null = now. */
  at: number | null;
  /** Who tells the picture that is shown; null = none yet. */
  source: HistorySource | null;
  /** The picture on the screen is of another moment still. */
  isReading: boolean;
  error: string | null;
  isPlaying: boolean;
};

export type YardTime = {
  getState: () => TimeState;
  subscribe: (listener: () => void) => () => void;
  /** What is shown follows; the address does not. */
  scrub: (at: number) => void;
  /** Back to now. */
  leave: () => void;
  set: (next: Partial<Omit<TimeState, "at">>) => void;
  /** All moments of the run, once they have been read. */
  getHistory: () => RunHistory | null;
  setHistory: (history: RunHistory | null) => void;
};

const now: TimeState = { at: null, source: null, isReading: false, error: null, isPlaying: false };

export function createYardTime(): YardTime {
  let state = now;
  let history: RunHistory | null = null;
  const listeners = new Set<() => void>();
  const change = (next: TimeState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scrub(at) {
      if (at !== state.at) change({ ...state, at });
    },
    leave() {
      if (state !== now) change(now);
    },
    set(next) {
      const isSame = (Object.keys(next) as (keyof typeof next)[]).every((key) => next[key] === state[key]);
      if (!isSame) change({ ...state, ...next });
    },
    getHistory: () => history,
    setHistory(next) {
      if (next === history) return;
      history = next;
      change({ ...state });
    },
  };
}
