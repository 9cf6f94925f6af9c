"use client";

// Ties the moment that is shown to the address: a link leads to the same moment, and a step back in the browser to the one before.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { LivePicture } from "../live/live-picture";
import type { YardModel } from "../plan/yard-model";
import { createYardTime, type YardTime } from "./yard-time";

/** A picture of another moment in place of the live one. */
export type Then = { live: LivePicture; model: YardModel };

export type TimeWays = {
  time: YardTime;
  /** Writes the moment into the address; null = now. */
  settle: (at: number | null) => void;
};

export function useYardTime(asked: Date | null, write: (at: Date | null) => void): TimeWays & { isThen: boolean } {
  const [time] = useState(createYardTime);
  const at = asked === null ? null : asked.getTime();
  useEffect(() => {
    if (at === null) time.leave();
    else time.scrub(at);
  }, [time, at]);
  const getIsThen = useCallback(() => time.getState().at !== null, [time]);
  const isThen = useSyncExternalStore(time.subscribe, getIsThen, () => false);
  const settle = useCallback(
    (next: number | null) => {
      if (next === null) time.leave();
      else time.scrub(next);
      write(next === null ? null : new Date(next));
    },
    [time, write],
  );
  return useMemo(() => ({ time, settle, isThen }), [time, settle, isThen]);
}
