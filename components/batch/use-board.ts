"use client";

// One batch while it is looked at: its board as it was read, and what the stream adds. Frames are folded at once; what they
// do not carry is read again for the branches they concern, at most so often.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import type { Frame } from "@/server/contract/frame";
import { foldSheet, mergeSheet } from "./fold-board";

const readAgainMs = 400;

export function useBoard(projectId: string, batchId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const id = { project_id: projectId, batch_id: batchId };
  const board = useQuery(trpc.batch.get.queryOptions(id, patientForEver));
  // Context boxes never change, so what they share is read once.
  const shared = useQuery(trpc.batch.shared.queryOptions(id, patientForEver));
  const stale = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const put = (make: (before: BatchSheet) => BatchSheet) =>
    queryClient.setQueryData(trpc.batch.get.queryKey(id), (before) => (before === undefined ? before : make(before)));

  const readAgain = useEffectEvent(async () => {
    timer.current = undefined;
    const task_indexes = [...stale.current];
    stale.current = new Set();
    const part = await queryClient
      .fetchQuery(trpc.batch.part.queryOptions({ ...id, task_indexes }, { staleTime: 0, gcTime: 0, retry: 2 }))
      // The branches stay stale and are asked for with the next frame; the banner says that the server is away.
      .catch(() => task_indexes);
    if (Array.isArray(part)) for (const index of part) stale.current.add(index);
    else put((before) => mergeSheet(before, part));
  });
  const schedule = useEffectEvent(() => void readAgain());

  const take = (frames: readonly Frame[]) => {
    const before = queryClient.getQueryData(trpc.batch.get.queryKey(id));
    if (before === undefined) return;
    const told = foldSheet(before, frames);
    if (told.sheet !== before) put(() => told.sheet);
    for (const index of told.stale) stale.current.add(index);
    if (told.stale.length > 0 || told.isMoved) timer.current ??= setTimeout(schedule, readAgainMs);
  };

  const isLive = useFrames({
    projectId,
    after: board.data?.cursor,
    onFrames: take,
    onReset: () => void board.refetch(),
  });
  return { board, shared: shared.data, isLive };
}
