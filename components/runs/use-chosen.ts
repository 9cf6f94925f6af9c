"use client";

// Which runs of the list are chosen. With Shift, all from the last one that was chosen on.
import { useRef, useState } from "react";

export type Chosen = {
  ids: ReadonlySet<string>;
  toggle: (id: string, isRange: boolean) => void;
  clear: () => void;
};

export function useChosen(listed: readonly string[]): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  return {
    ids,
    toggle: (id, isRange) => {
      const from = isRange ? last.current : null;
      last.current = id;
      setIds((now) => toggled(now, listed, id, from));
    },
    clear: () => {
      last.current = null;
      setIds(new Set());
    },
  };
}

/** `from`: the other end of a range, which becomes what `id` becomes. */
export function toggled(
  now: ReadonlySet<string>,
  listed: readonly string[],
  id: string,
  from: string | null,
): ReadonlySet<string> {
  const next = new Set(now);
  const ends = [listed.indexOf(id), from === null ? -1 : listed.indexOf(from)];
  const isOn = !now.has(id);
  const range = ends.includes(-1) ? [id] : listed.slice(Math.min(...ends), Math.max(...ends) + 1);
  for (const one of range) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return next;
}
