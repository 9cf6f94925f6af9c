// One clock for the whole page: a hundred running turns share a tick, and none of them drifts from the next.
import { useSyncExternalStore } from "react";

/** Milliseconds, once a second; 0 while the server's markup is taken over, because the two clocks differ. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => 0,
  );
}

let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
