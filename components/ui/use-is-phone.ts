"use client";

// Whether the screen is a phone's: there the plan is another drawing, not a smaller one.
import { useSyncExternalStore } from "react";

const NARROW = "(width < 720px)";

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone, () => false);
}

function isPhone(): boolean {
  return queried().matches;
}

/** Asked for once: a new query has all style worked out before it answers, and this is asked with every change of a plan. */
function queried(): MediaQueryList {
  query ??= window.matchMedia(NARROW);
  return query;
}

let query: MediaQueryList | undefined;

function subscribe(listener: () => void): () => void {
  const query = queried();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
