"use client";

// Alarms about what a page shows, under its head. Nothing while there is none.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { AlarmNoteLine } from "./alarm-note-line";
import { alarmNoteQuery } from "./alarm-note-query";
import { pace, useReadAgain } from "./use-read-again";

/** A page waits for them with what it shows: a note that came later would move it. */
export function useAreAlarmsKnown(projectId: string, subjectId: string): boolean {
  const trpc = useTRPC();
  return !useQuery(trpc.alarm.list.queryOptions(alarmNoteQuery(projectId, subjectId), patient)).isPending;
}

/** `subjectId`: a turn, a batch, a box or a card. */
export function AlarmNote({ projectId, subjectId }: { projectId: string; subjectId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.alarm.list.queryOptions(alarmNoteQuery(projectId, subjectId), { ...patient, ...useReadAgain(pace.seldom) }),
  );
  const first = data?.items[0];
  if (data === undefined || first === undefined) return null;
  return <AlarmNoteLine projectId={projectId} subjectId={subjectId} first={first} counts={data.counts} />;
}
