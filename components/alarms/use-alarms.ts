"use client";

// The list of alarms, kept true: a frame of an alarm, or of a rule that was muted, is a reason to read again.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { type AlarmFilter, alarmListQuery } from "./alarm-list-query";

const readAgainMs = 400;

export function useAlarms(projectId: string, filter: AlarmFilter) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.alarm.list.infiniteQueryOptions(alarmListQuery(projectId, filter), {
      ...patient,
      ...nextPage,
      placeholderData: (before) => before,
    }),
  );
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
  const isLive = useFrames({
    projectId,
    after: first,
    onFrames: (frames) => {
      if (frames.some(({ kind }) => kind === "alarm" || kind === "alarm_rule"))
        timer.current ??= setTimeout(readAgain, readAgainMs);
    },
    onReset: () => void list.refetch().then(({ data }) => setFirst(data?.pages[0]?.live_cursor)),
  });
  return { list, isLive };
}
