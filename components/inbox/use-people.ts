"use client";

// Requests to people, kept current by their frames. One that is decided while someone looks at it stays until they leave it,
// so that text they are writing does not vanish.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import type { HumanRequestFrame } from "@/server/contract/frame";
import type { HumanRequestLine } from "@/server/contract/human-request";
import { peopleQuery } from "./people-query";

const readAgainMs = 200;

export function usePeople(projectId: string, withDecided: boolean) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.inbox.requests.infiniteQueryOptions(peopleQuery(projectId, withDecided), {
      ...patient,
      ...nextPage,
      placeholderData: (before) => before,
    }),
  );
  const count = useQuery(trpc.inbox.open_requests.queryOptions({ project_id: projectId }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = useEffectEvent(() => {
    timer.current = undefined;
    void list.refetch();
    void count.refetch();
  });
  // Every read brings a cursor; the stream begins at the first one and goes on by itself.
  const cursor = list.data?.pages[0]?.live_cursor;
  const [first, setFirst] = useState(cursor);
  if (first === undefined && cursor !== undefined) setFirst(cursor);
  const [decided, setDecided] = useState<ReadonlyMap<string, HumanRequestFrame>>(new Map());
  const isLive = useFrames({
    projectId,
    after: first,
    onFrames: (frames) => {
      const asked = frames.filter((frame) => frame.kind === "human_request");
      if (asked.length === 0) return;
      setDecided((all) => new Map([...all, ...asked.map((frame) => [frame.id, frame] as const)]));
      timer.current ??= setTimeout(readAgain, readAgainMs);
    },
    onReset: () => void list.refetch().then(({ data }) => setFirst(data?.pages[0]?.live_cursor)),
  });
  const read = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  return { list, isLive, openCount: list.data?.pages[0]?.open_count, ...useKept(read, decided) };
}

/** One that somebody has begun to decide keeps its place when it leaves the list, as it was decided elsewhere. */
function useKept(read: readonly HumanRequestLine[] | undefined, decided: ReadonlyMap<string, HumanRequestFrame>) {
  const [before, setBefore] = useState<typeof read>(undefined);
  const [known, setKnown] = useState<ReadonlyMap<string, HumanRequestLine>>(new Map());
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  if (read !== before) {
    setBefore(read);
    setKnown(new Map([...known, ...(read ?? []).map((line) => [line.request_id, line] as const)]));
  }
  const lines = useMemo(() => {
    if (read === undefined) return undefined;
    const there = new Set(read.map((line) => line.request_id));
    const kept = [...touched].flatMap((id) => {
      const line = known.get(id);
      return line === undefined || there.has(id) ? [] : [asDecided(line, decided.get(id))];
    });
    if (kept.length === 0) return read;
    return [...read, ...kept].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }, [read, known, touched, decided]);
  return {
    lines,
    touch: (id: string, isTouched: boolean) =>
      setTouched((all) =>
        all.has(id) === isTouched ? all : new Set(isTouched ? [...all, id] : [...all].filter((one) => one !== id)),
      ),
  };
}

function asDecided(line: HumanRequestLine, frame: HumanRequestFrame | undefined): HumanRequestLine {
  if (frame === undefined) return line;
  const { status, decided_by, decided_at, reason, is_edited } = frame;
  return { ...line, status, decided_by, decided_at, reason, is_edited };
}
