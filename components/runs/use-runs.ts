"use client";

// The list of runs, kept true: whatever moves a run, its turns, batches or alarms is a reason to read again.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { faultOf } from "@/components/domain/query-fault";
import { useListStream } from "@/components/domain/use-list-stream";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import type { Frame } from "@/server/contract/frame";
import type { RunLine } from "@/server/contract/run-list";
import { type RunFilter, runListQuery } from "./run-params";

const moving: ReadonlySet<Frame["kind"]> = new Set(["run", "turn", "batch", "alarm", "alarm_rule"]);

export function useRuns(projectId: string, filter: RunFilter) {
  const trpc = useTRPC();
  const asked = runListQuery(projectId, filter);
  const list = useInfiniteQuery(
    trpc.run.list.infiniteQueryOptions(asked, { ...patient, ...nextPage, placeholderData: (before) => before }),
  );
  const isLive = useListStream(projectId, list, ({ kind }) => moving.has(kind));
  // A run that moves in the order while pages are read may stand on two of them.
  const lines = useMemo<RunLine[] | undefined>(() => {
    const all = list.data?.pages.flatMap((page) => page.items);
    return all && [...new Map(all.map((line) => [line.root_turn_id, line])).values()];
  }, [list.data]);
  const fault = list.error === null ? null : faultOf(list.error.message);
  const last = list.data?.pages.at(-1);
  const lookedAt = last?.is_partial ? last.looked_at : undefined;
  return { list, lines, isLive, lookedAt, fault: fault && { query: asked.q, fault } };
}
