"use client";

// A hidden tab closes its streams: HTTP/1.1 allows six connections to a server, and seven open tabs hung the last one.
import { useSyncExternalStore } from "react";

/** False on the server. */
export const usePageVisible = (): boolean => useSyncExternalStore(onVisibility, isVisible, () => false);

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

const isVisible = (): boolean => document.visibilityState === "visible";
