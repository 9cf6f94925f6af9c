"use client";

// Choosing cards of a box: which are chosen, by their place. It is off until it is started.
import { useCallback, useState } from "react";

export type Picked = {
  /** null = no choosing goes on. */
  cards: ReadonlyMap<number, string> | null;
  start: () => void;
  stop: () => void;
  toggle: (position: number, cardId: string) => void;
};

export function usePicked(): Picked {
  const [cards, setCards] = useState<ReadonlyMap<number, string> | null>(null);
  return {
    cards,
    start: useCallback(() => setCards((now) => now ?? new Map()), []),
    stop: useCallback(() => setCards(null), []),
    toggle: useCallback((position: number, cardId: string) => setCards((now) => toggled(now, position, cardId)), []),
  };
}

export function toggled(
  now: ReadonlyMap<number, string> | null,
  position: number,
  cardId: string,
): ReadonlyMap<number, string> {
  const next = new Map(now);
  if (!next.delete(position)) next.set(position, cardId);
  return next;
}

/** In the order of the box, whatever order they were chosen in. */
export const pickedIds = (cards: ReadonlyMap<number, string>): string[] =>
  [...cards].sort(([a], [b]) => a - b).map(([, cardId]) => cardId);
