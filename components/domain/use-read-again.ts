"use client";

// How often a page reads again what no stream tells it. A page in the background does not read; it reads when it is shown
// again. While the server fails, the waits grow, and no two pages ask in the same instant when it is back.
import { useState } from "react";

/** In ms. */
export const pace = { soon: 2_000, often: 4_000, seldom: 10_000 } as const;

const WAIT_MS_MAX = 10_000;
const JITTER = 0.1;

/** The state of a query, and the result of `useQuery`. */
export type Asked = { status: string; dataUpdatedAt: number; errorUpdatedAt: number; errorUpdateCount: number };
type AskedQuery = { state: Asked };

export type ReadAgain = {
  refetchInterval: (query: AskedQuery) => number | false;
  refetchOnWindowFocus: (query: AskedQuery) => "always" | false;
};

/** Options of a query; `false` reads once. */
export function useReadAgain(ms: number | false): ReadAgain {
  // Kept for as long as the page is: a query whose interval changes starts to wait anew.
  const [stretch] = useState(() => 1 + JITTER * (2 * Math.random() - 1));
  return readAgain(ms, stretch);
}

export function readAgain(ms: number | false, stretch = 1): ReadAgain {
  if (ms === false) return { refetchInterval: () => false, refetchOnWindowFocus: () => false };
  return {
    refetchInterval: ({ state }) => Math.round(stretch * (state.status === "error" ? waitAfterFailure(state, ms) : ms)),
    refetchOnWindowFocus: ({ state }) =>
      state.status === "error" || Date.now() - state.dataUpdatedAt >= ms ? "always" : false,
  };
}

/** As long again as it has been failing. */
function waitAfterFailure({ dataUpdatedAt, errorUpdatedAt, errorUpdateCount }: Asked, ms: number): number {
  const failingMs = dataUpdatedAt === 0 ? ms * errorUpdateCount : errorUpdatedAt - dataUpdatedAt;
  return Math.min(Math.max(ms, failingMs), Math.max(ms, WAIT_MS_MAX));
}
