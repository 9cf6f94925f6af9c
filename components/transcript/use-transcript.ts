"use client";

// A run's transcript and what stands beside it, kept true: frames of the run tell when its end is read again.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient, patientForEver } from "@/components/trpc/patient";
import type { TranscriptLine, TranscriptPage } from "@/server/contract/answers/transcript";
import type { Frame } from "@/server/contract/frame";
import { linesOf, tailFrom } from "./lines";
import { type TranscriptAsk, transcriptQuery } from "./transcript-query";

/** Frames of one change come together: the end is read once for all of them. */
const readAgainMs = 400;

type Page = TranscriptPage & { live_cursor: string };
type Pages = InfiniteData<Page, string | null>;

/** While other words are looked for, the lines of the last ones stay. */
const sameRun =
  (rootTurnId: string) =>
  <T>(before: T, query?: { queryKey: readonly unknown[] }): T | undefined =>
    JSON.stringify(query?.queryKey ?? null).includes(JSON.stringify(rootTurnId)) ? before : undefined;

export function useTranscript(projectId: string, rootTurnId: string, ask: TranscriptAsk) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const asked = transcriptQuery(projectId, rootTurnId, ask);
  const list = useInfiniteQuery(
    trpc.run.transcript.infiniteQueryOptions(asked, {
      ...patientForEver,
      ...nextPage,
      placeholderData: sameRun(rootTurnId),
    }),
  );
  const head = useQuery(
    trpc.run.transcript_head.queryOptions({ project_id: projectId, root_turn_id: rootTurnId }, patient),
  );
  const lines = useMemo<TranscriptLine[] | undefined>(() => list.data && linesOf(list.data.pages), [list.data]);

  const turns = useMemo(() => new Set(lines?.map((line) => line.agent_turn_id)), [lines]);
  const isMine = (frame: Frame): boolean =>
    frame.kind === "box"
      ? frame.box_kind === "output" && turns.has(frame.owner_turn_id ?? "")
      : "root_turn_id" in frame && frame.root_turn_id === rootTurnId;

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // One read after the other: of a long run it may take longer than the next frame.
  const reading = useRef(false);
  const isStale = useRef(false);
  const wake = () => {
    if (reading.current) isStale.current = true;
    else timer.current ??= setTimeout(() => void readAgain(), readAgainMs);
  };
  const readAgain = useEffectEvent(async () => {
    timer.current = undefined;
    reading.current = true;
    isStale.current = false;
    const [, tail] = await Promise.allSettled([head.refetch(), readTail()]);
    // The list itself tries until the server answers again.
    if (tail.status === "rejected") void list.refetch();
    reading.current = false;
    if (isStale.current) wake();
  });
  async function readTail(): Promise<void> {
    const key = trpc.run.transcript.infiniteQueryKey(asked);
    const known = queryClient.getQueryData<Pages>(key);
    if (known === undefined) return;
    const from = tailFrom(known.pages);
    const read = await pagesFrom(known.pageParams[from] ?? null, known.pages.length - from + 1);
    // Somebody may have scrolled on meanwhile: what was read for fewer pages is not put in place of more.
    queryClient.setQueryData<Pages>(key, (now) =>
      now === undefined || now.pages.length !== known.pages.length
        ? now
        : {
            pages: [...now.pages.slice(0, from), ...read.map(({ page }) => page)],
            pageParams: [...now.pageParams.slice(0, from), ...read.map(({ param }) => param)],
          },
    );
  }
  async function pagesFrom(param: string | null, most: number): Promise<{ param: string | null; page: Page }[]> {
    const read: { param: string | null; page: Page }[] = [];
    for (let at: string | null | undefined = param; at !== undefined && read.length < most; ) {
      const page: Page = await client.run.transcript.query({ ...asked, ...(at !== null && { cursor: at }) });
      read.push({ param: at, page });
      at = page.next_cursor;
    }
    return read;
  }

  // Each read brings a cursor; to subscribe anew with each would tear the stream down.
  const cursor = list.data?.pages[0]?.live_cursor;
  const [first, setFirst] = useState(cursor);
  if (first === undefined && cursor !== undefined) setFirst(cursor);
  const isLive = useFrames({
    projectId,
    after: first,
    onFrames: (frames) => {
      if (frames.some(isMine)) wake();
    },
    onReset: () => void list.refetch().then(({ data }) => setFirst(data?.pages[0]?.live_cursor)),
  });
  return { list, head, lines, isLive };
}
