"use client";

// The inbox, kept true: a turn that moves has taken rows with it, so its frame is a reason to read again. Claims and
// deferrals write no frame; they are seen by reading every few seconds.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { type InboxFilter, inboxListQuery } from "./inbox-list-query";

const readAgainMs = 400;

export function useInbox(projectId: string, filter: InboxFilter) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.inbox.list.infiniteQueryOptions(inboxListQuery(projectId, filter), {
      ...patient,
      ...nextPage,
      ...useReadAgain(pace.often),
      placeholderData: (before) => before,
    }),
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = useEffectEvent(() => {
    timer.current = undefined;
    void list.refetch();
  });
  // Every read brings a cursor; subscribing anew with each of them would tear the stream down every five seconds.
  const cursor = list.data?.pages[0]?.live_cursor;
  const [first, setFirst] = useState(cursor);
  if (first === undefined && cursor !== undefined) setFirst(cursor);
  const isLive = useFrames({
    projectId,
    after: first,
    onFrames: (frames) => {
      if (frames.some((frame) => frame.kind === "turn" || frame.kind === "batch"))
        timer.current ??= setTimeout(readAgain, readAgainMs);
    },
    onReset: () => void list.refetch().then(({ data }) => setFirst(data?.pages[0]?.live_cursor)),
  });
  return { list, isLive };
}
