"use client";

// Reads a page again when frames tell that what it shows has changed.
import { useEffect, useEffectEvent, useState } from "react";
import type { Frame } from "@/server/contract/frame";
import { useFrames } from "./use-frames";

export type LiveInput = {
  projectId: string;
  cursor: string | undefined;
  /** Whether this frame changes what is shown. */
  isMine: (frame: Frame) => boolean;
  /** Answers the cursor of what it read. */
  read: () => Promise<string | undefined>;
};

// A run that makes fifty agents would have the page read fifty times.
const gatherMs = 250;

export function useLive({ projectId, cursor, isMine, read }: LiveInput): void {
  // The first cursor stays. Beside a long transaction each new one lies before the frame just seen, which would come
  // again, be read again, and so on for ever.
  const [from, setFrom] = useState(cursor);
  if (from === undefined && cursor !== undefined) setFrom(cursor);
  const [changes, setChanges] = useState(0);
  const readAgain = useEffectEvent(() => void read());
  useEffect(() => {
    if (changes === 0) return;
    const timer = setTimeout(() => readAgain(), gatherMs);
    return () => clearTimeout(timer);
  }, [changes]);
  useFrames({
    projectId,
    after: from,
    onFrames: (frames) => {
      if (frames.some(isMine)) setChanges((count) => count + 1);
    },
    onReset: () => void read().then(setFrom),
  });
}
