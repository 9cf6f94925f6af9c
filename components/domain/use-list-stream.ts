"use client";

// A list that is read again when a frame tells that it has changed. It listens from the cursor of the first read.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Frame } from "@/server/contract/frame";
import { useFrames } from "./use-frames";

/** Frames of one change come together: the list is read once for all of them. */
const readAgainMs = 400;

type Paged = { pages: readonly { live_cursor: string }[] };
export type StreamedList<Data extends Paged> = {
  data: Data | undefined;
  refetch: () => Promise<{ data: Data | undefined }>;
};

/** Answers whether the stream is open. */
export function useListStream<Data extends Paged>(
  projectId: string,
  list: StreamedList<Data>,
  isChange: (frame: Frame) => boolean,
): boolean {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = useEffectEvent(() => {
    timer.current = undefined;
    void list.refetch();
  });
  // Each read brings a cursor; to subscribe anew with each would tear the stream down.
  const cursor = list.data?.pages[0]?.live_cursor;
  const [first, setFirst] = useState(cursor);
  if (first === undefined && cursor !== undefined) setFirst(cursor);
  return useFrames({
    projectId,
    after: first,
    onFrames: (frames) => {
      if (frames.some(isChange)) timer.current ??= setTimeout(readAgain, readAgainMs);
    },
    onReset: () => void list.refetch().then(({ data }) => setFirst(data?.pages[0]?.live_cursor)),
  });
}
