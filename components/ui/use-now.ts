"use client";

// One clock for the whole page: a hundred running turns share a tick, and none of them drifts from the next.
import { createContext, useContext, useSyncExternalStore } from "react";

/** The moment that a picture stands at: "4s ago" below is measured to it. Null = the clock goes on. */
export const StandingNow = createContext<number | null>(null);

/** Milliseconds, once a second; 0 while the server's markup is taken over, because the two clocks differ. */
export function useNow(): number {
  const standing = useContext(StandingNow);
  const ticking = useSyncExternalStore(
    subscribe,
    () => now,
    () => 0,
  );
  return standing ?? ticking;
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
