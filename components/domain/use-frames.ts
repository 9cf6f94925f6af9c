"use client";

// Frames of a project after a cursor, for pages that show one thing of it. A hidden tab closes its stream and goes on from
// its last cursor when it is seen again. When somebody deletes a card or a run, everything on the page is read again: boxes,
// turns and lists show its content too.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import type { Frame } from "@/server/contract/frame";
import { keepStream } from "./keep-stream";
import { readAgain } from "./read-again";
import { usePageVisible } from "./use-page-visible";

export type FramesInput = {
  projectId: string;
  /** True for what the page shows; undefined while nothing has been read yet. */
  after: string | undefined;
  isEnabled?: boolean;
  onFrames: (frames: readonly Frame[]) => void;
  /** The journal no longer has the frames after the cursor: read everything again. */
  onReset: () => void;
};

/** Answers whether frames are coming in now. */
export function useFrames({ projectId, after, isEnabled = true, onFrames, onReset }: FramesInput): boolean {
  const client = useTRPCClient();
  const isVisible = usePageVisible();
  const [isLive, setIsLive] = useState(false);
  const resume = useRef<{ after: string; cursor: string } | null>(null);
  const queryClient = useQueryClient();
  const take = useEffectEvent((frames: readonly Frame[]) => {
    onFrames(frames);
    if (frames.some((frame) => frame.kind === "card" || (frame.kind === "run" && frame.is_deleted)))
      void readAgain(queryClient);
  });
  const reset = useEffectEvent(onReset);

  useEffect(() => {
    if (after === undefined || !isEnabled || !isVisible) return;
    let isLeft = false;
    const close = keepStream(
      ({ onStarted, onEnded }) =>
        client.graph.stream.subscribe(
          // A page that was read again begins at its new cursor.
          { project_id: projectId, after: resume.current?.after === after ? resume.current.cursor : after },
          {
            onStarted: () => {
              onStarted();
              setIsLive(true);
            },
            onData: ({ id, data }) => {
              resume.current = { after, cursor: id };
              take(data);
            },
            onError: (error) => {
              if (isLeft) return;
              if (error.data?.detail?.reset === true) reset();
              else onEnded();
            },
            onComplete: onEnded,
          },
        ),
      () => setIsLive(false),
    );
    return () => {
      isLeft = true;
      close();
      setIsLive(false);
    };
  }, [client, projectId, after, isEnabled, isVisible]);
  return isLive;
}
