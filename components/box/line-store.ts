// The lines of one box that have been asked for so far. A window over 10,000 cards asks for what it shows; what came stays.
import type { BoxLine } from "@/server/contract/line";

export type LineStore = {
  get: (position: number) => BoxLine | undefined;
  /** Fetches those that are not there and not on their way. After a failure they wait for `retry`. */
  want: (positions: readonly number[]) => void;
  retry: () => void;
  error: () => Error | null;
  subscribe: (listener: () => void) => () => void;
  /** Changes with every answer. */
  version: () => number;
};

const linesPerFetchMax = 100;

/** The places a page brings along. One list for every box: it is part of the key that both sides must agree on. */
export const firstLines: number[] = Array.from({ length: 24 }, (_, position) => position);

export function createLineStore(
  fetchLines: (positions: number[]) => Promise<readonly BoxLine[]>,
  known: readonly BoxLine[] = [],
): LineStore {
  const lines = new Map<number, BoxLine>(known.map((line) => [line.position, line]));
  const pending = new Set<number>();
  const listeners = new Set<() => void>();
  const waiting = new Set<number>();
  let error: Error | null = null;
  let version = 0;

  function changed() {
    version += 1;
    for (const listener of listeners) listener();
  }

  async function load(positions: number[]) {
    try {
      for (const line of await fetchLines(positions)) lines.set(line.position, line);
    } catch (reason) {
      error = reason instanceof Error ? reason : new Error(String(reason));
      for (const position of positions) waiting.add(position);
    }
    for (const position of positions) pending.delete(position);
    changed();
  }

  function want(positions: readonly number[]) {
    const missing = positions.filter((position) => !lines.has(position) && !pending.has(position));
    if (error !== null) {
      for (const position of missing) waiting.add(position);
      return;
    }
    for (let at = 0; at < missing.length; at += linesPerFetchMax) {
      const part = missing.slice(at, at + linesPerFetchMax);
      for (const position of part) pending.add(position);
      void load(part);
    }
  }

  return {
    get: (position) => lines.get(position),
    want,
    retry() {
      error = null;
      const again = [...waiting];
      waiting.clear();
      want(again);
      changed();
    },
    error: () => error,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}
