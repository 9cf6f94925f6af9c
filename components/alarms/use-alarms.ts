"use client";

// The list of alarms, kept true: a frame of an alarm, or of a rule that was muted, is a reason to read again.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useListStream } from "@/components/domain/use-list-stream";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { type AlarmFilter, alarmListQuery } from "./alarm-list-query";

export function useAlarms(projectId: string, filter: AlarmFilter) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.alarm.list.infiniteQueryOptions(alarmListQuery(projectId, filter), {
      ...patient,
      ...nextPage,
      placeholderData: (before) => before,
    }),
  );
  const isLive = useListStream(projectId, list, ({ kind }) => kind === "alarm" || kind === "alarm_rule");
  return { list, isLive };
}
