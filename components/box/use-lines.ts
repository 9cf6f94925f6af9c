"use client";

// Ties the line store to a window of the list. The first lines come with the page; the rest as one scrolls.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/client";
import { createLineStore, firstLines, type LineStore } from "./line-store";

export function useLineStore(projectId: string, boxId: string): LineStore {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [store] = useState(() => {
    const optionsOf = (positions: number[]) =>
      trpc.box.lines.queryOptions(
        { project_id: projectId, box_id: boxId, positions },
        { staleTime: Number.POSITIVE_INFINITY },
      );
    const brought = queryClient.getQueryData(optionsOf(firstLines).queryKey);
    return createLineStore((positions) => queryClient.fetchQuery(optionsOf(positions)), brought);
  });
  return store;
}

const retryMs = 4000;
const restMs = 40;

/** Redraws with every answer, and requests what the window shows. */
export function useLines(store: LineStore, positions: readonly number[]): void {
  useSyncExternalStore(store.subscribe, store.version, store.version);
  useEffect(() => {
    // Cards scrolled past quickly are not requested: a long drag of the scrollbar would send a hundred useless requests.
    const isKnown = positions.every((position) => store.get(position) !== undefined);
    if (isKnown) return;
    const timer = setTimeout(() => store.want(positions), restMs);
    return () => clearTimeout(timer);
  }, [store, positions]);
  const hasFailed = store.error() !== null;
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(store.retry, retryMs);
    return () => clearInterval(timer);
  }, [store, hasFailed]);
}
