// A value that parts of the composer read apart from each other, so that only those are drawn again whose part of it changed.
import { useSyncExternalStore } from "react";

export type SmallStore<T> = {
  get: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
};

export function createSmallStore<T>(first: T): SmallStore<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** `pick` answers the same object for as long as nothing it reads has changed. */
export function usePick<T, Part>(
  store: { get: () => T; subscribe: (listener: () => void) => () => void },
  pick: (value: T) => Part,
): Part {
  const read = () => pick(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
