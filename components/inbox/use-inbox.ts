"use client";

// The inbox, kept true: a turn that moves has taken rows with it, so its frame is a reason to read again. Claims and
// deferrals write no frame; they are seen by reading every few seconds.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useListStream } from "@/components/domain/use-list-stream";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { type InboxFilter, inboxListQuery } from "./inbox-list-query";

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
  const isLive = useListStream(projectId, list, ({ kind }) => kind === "turn" || kind === "batch");
  return { list, isLive };
}
