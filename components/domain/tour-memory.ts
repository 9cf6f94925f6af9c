"use client";

// Whether this browser has seen the tour: the banner offers it until then. Storage may be full or forbidden; then it is
// remembered for as long as the page lives.
import { useSyncExternalStore } from "react";

const KEY = "switchyard.tour";
let seenHere = false;
const listeners = new Set<() => void>();

/** True on the server: an offer that comes late moves nothing, one that goes away is missed by a click. */
export function useHasSeenTour(): boolean {
  return useSyncExternalStore(subscribe, hasSeen, () => true);
}

export function rememberTour(): void {
  seenHere = true;
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // `seenHere` has it.
  }
  for (const listener of listeners) listener();
}

function hasSeen(): boolean {
  try {
    return seenHere || localStorage.getItem(KEY) !== null;
  } catch {
    return seenHere;
  }
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
