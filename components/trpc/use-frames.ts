"use client";

// Frames of a project after a cursor, for pages that show one thing of it. A hidden tab closes its stream and goes on from
// its last cursor when it is seen again: HTTP/1.1 allows six connections to a server, and seven open tabs hung the last one.
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { Frame } from "@/server/contract/frame";
import { useTRPCClient } from "./client";

export type FramesInput = {
  projectId: string;
  /** True for what the page shows; undefined while nothing has been read yet. */
  after: string | undefined;
  isEnabled?: boolean;
  onFrames: (frames: readonly Frame[]) => void;
  /** The journal no longer keeps what followed the cursor: read anew. */
  onReset: () => void;
};

const againMs = 2000;

/** Answers whether frames are coming in now. */
export function useFrames({ projectId, after, isEnabled = true, onFrames, onReset }: FramesInput): boolean {
  const client = useTRPCClient();
  const isVisible = useSyncExternalStore(onVisibility, isPageVisible, () => false);
  const [isLive, setIsLive] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const resume = useRef<{ after: string; cursor: string } | null>(null);
  const take = useEffectEvent(onFrames);
  const reset = useEffectEvent(onReset);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a reason to subscribe again.
  useEffect(() => {
    if (after === undefined || !isEnabled || !isVisible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    // A page that was read anew begins at its new cursor.
    const from = resume.current?.after === after ? resume.current.cursor : after;
    function again() {
      setIsLive(false);
      if (!isLeft) timer ??= setTimeout(() => setAttempt((count) => count + 1), againMs);
    }
    const subscription = client.graph.stream.subscribe(
      { project_id: projectId, after: from },
      {
        onStarted: () => setIsLive(true),
        onData: ({ id, data }) => {
          resume.current = { after, cursor: id };
          take(data);
        },
        onError: (error) => {
          if (isLeft) return;
          if (error.data?.detail?.reset === true) reset();
          else again();
        },
        onComplete: again,
      },
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
      subscription.unsubscribe();
      setIsLive(false);
    };
  }, [client, projectId, after, isEnabled, isVisible, attempt]);
  return isLive;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

function isPageVisible(): boolean {
  return document.visibilityState === "visible";
}
