"use client";

// Plays a run: the playhead moves by itself, skips what is cut, and stops at the end. The address is written when it stands.
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { useYard } from "../yard-context";
import type { Idle } from "./idle";
import { EVENT_MS, type Pace, playedTo } from "./playback";

export type Playback = {
  isPlaying: boolean;
  pace: Pace;
  setPace: (pace: Pace) => void;
  toggle: () => void;
  toStart: () => void;
  toEnd: () => void;
};

/** More pictures in a second would only cost: each is the whole yard. */
const PICTURE_MS = 80;
/** For those who want nothing to glide: a picture in a second. */
const STILL_MS = 1_000;

type Input = {
  moments: readonly number[];
  idle: readonly Idle[];
  from: number;
  to: number;
  /** False: a part is played, and its end is not now. */
  isWhole: boolean;
  /** The pace it begins with. */
  begins?: Pace;
};

export function usePlayback({ moments, idle, from, to, isWhole, begins = "4" }: Input): Playback {
  const { ways } = useYard();
  const { time, settle } = ways;
  const [pace, setPace] = useState<Pace>(begins);
  const getIsPlaying = useCallback(() => time.getState().isPlaying, [time]);
  const isPlaying = useSyncExternalStore(time.subscribe, getIsPlaying, () => false);

  const advance = useEffectEvent((ms: number) => {
    const { at } = time.getState();
    // Whoever goes back to live has stopped it.
    if (at === null) return time.set({ isPlaying: false });
    const next = playedTo(at, ms, { pace, moments, idle, end: to });
    if (next < to) return time.scrub(next);
    time.set({ isPlaying: false });
    settle(isWhole ? null : to);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const every = pace === "event" ? EVENT_MS : isStill ? STILL_MS : PICTURE_MS;
    let before = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // A tab that was hidden goes on where it was.
      advance(Math.min(now - before, 2 * every));
      before = now;
    }, every);
    return () => clearInterval(timer);
  }, [isPlaying, pace]);

  const stop = () => {
    time.set({ isPlaying: false });
    const { at } = time.getState();
    if (at !== null) settle(Math.round(at));
  };
  return {
    isPlaying,
    pace,
    setPace,
    toggle() {
      if (isPlaying) return stop();
      const { at } = time.getState();
      if (at === null || at >= to || at < from) settle(from);
      time.set({ isPlaying: true });
    },
    toStart() {
      time.set({ isPlaying: false });
      settle(from);
    },
    toEnd() {
      time.set({ isPlaying: false });
      settle(isWhole ? null : to);
    },
  };
}
