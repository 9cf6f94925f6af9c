"use client";

// Whether the screen is a phone's: there the plan is another drawing, not a smaller one.
import { useSyncExternalStore } from "react";

const NARROW = "(width < 720px)";

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone, () => false);
}

function isPhone(): boolean {
  return window.matchMedia(NARROW).matches;
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
