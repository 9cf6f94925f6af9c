"use client";

// The list of batches, kept true by the journal: lamps and states change in place, a batch that is new is fetched.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { type BatchFilter, batchListQuery } from "./batch-list-query";
import { foldLines } from "./fold-board";

/** A run that forks in turn makes several batches a second. */
const readAgainMs = 400;

export function useBatches(projectId: string, filter: BatchFilter) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = batchListQuery(projectId, filter);
  const list = useInfiniteQuery(trpc.batch.list.infiniteQueryOptions(query, { ...patient, ...nextPage }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = useEffectEvent(() => {
    timer.current = undefined;
    void list.refetch();
  });
  const isLive = useFrames({
    projectId,
    after: list.data?.pages[0]?.live_cursor,
    onFrames: (frames) => {
      const key = trpc.batch.list.infiniteQueryKey(query);
      const before = queryClient.getQueryData(key);
      if (before === undefined) return;
      const next = foldLines(before, frames);
      if (next === null) timer.current ??= setTimeout(readAgain, readAgainMs);
      else if (next !== before) queryClient.setQueryData(key, next);
    },
    onReset: () => void list.refetch(),
  });
  return { list, isLive };
}
