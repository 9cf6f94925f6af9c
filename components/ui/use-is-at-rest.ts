"use client";

// Whether the picture of the page is there and the browser has nothing to do: only then is code fetched ahead. A page is idle
// too while it waits for its own code and for the server; what was fetched ahead then came before what was looked at.
import { useEffect, useState } from "react";
import { useIsSettled } from "./use-is-settled";

export function useIsAtRest(): boolean {
  const isSettled = useIsSettled();
  const [isAtRest, setIsAtRest] = useState(false);
  useEffect(() => {
    if (!isSettled || isAtRest) return;
    return whenDrawn(() => setIsAtRest(true));
  }, [isSettled, isAtRest]);
  return isAtRest;
}

/** Calls `rest` once nothing stands in the place of what is on its way; returns what calls it off. */
function whenDrawn(rest: () => void): () => void {
  let isOff = false;
  const look = () => {
    if (isOff) return;
    if (isWaiting()) return;
    changes.disconnect();
    // What took its place is measured in the next frame and drawn in the one after it.
    requestAnimationFrame(() => requestAnimationFrame(() => (window.requestIdleCallback ?? setTimeout)(settle)));
  };
  const settle = () => {
    if (isOff) return;
    if (!isWaiting()) return rest();
    // One part came, and waits for another.
    changes.observe(document.body, { subtree: true, childList: true });
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { subtree: true, childList: true });
  look();
  return () => {
    isOff = true;
    changes.disconnect();
  };
}

const isWaiting = (): boolean => document.querySelector(".skeleton") !== null;
