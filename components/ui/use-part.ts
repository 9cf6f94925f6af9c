"use client";

// A part of the page whose code comes after the page: fetched while the page rests, so that a key opens it at once.
import { type ComponentType, useEffect, useState } from "react";

type Part<Props> = { Component: ComponentType<Props> | null; isMissing: boolean };

/**
 * `load` is a constant of the module. The code is fetched once `isDue`; while the browser is offline it waits.
 * A failed fetch gives `isMissing`: the bundler remembers it, so the remedy is to load the page again.
 */
export function usePart<Props>(load: () => Promise<ComponentType<Props>>, isDue: boolean): Part<Props> {
  const [part, setPart] = useState<Part<Props>>({ Component: null, isMissing: false });
  useEffect(() => {
    if (!isDue) return;
    const fetchIt = () =>
      load().then(
        (Component) => setPart({ Component, isMissing: false }),
        () => setPart({ Component: null, isMissing: true }),
      );
    if (navigator.onLine) void fetchIt();
    else window.addEventListener("online", fetchIt, { once: true });
    return () => window.removeEventListener("online", fetchIt);
  }, [load, isDue]);
  return part;
}
