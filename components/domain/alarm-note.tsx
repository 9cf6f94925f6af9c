"use client";

// Alarms about what a page shows, under its head: a line with their names that leads to the list. Nothing while there is none.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Icon } from "@/components/ui/icon";
import { alarmNames, alarmSentence } from "./alarm-words";
import { countedNumber, countedSum } from "./counted";
import { pace, useReadAgain } from "./use-read-again";
import "./alarm-note.css";

const SHOWN = 3;

const alarmNoteQuery = (projectId: string, subjectId: string) => ({
  project_id: projectId,
  subject_id: subjectId,
  muted: "false" as const,
  limit: 50,
});

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
  if (data === undefined || data.items.length === 0) return null;
  const total = data.counts.reduce((sum, { active }) => sum + active, 0);
  const [first] = data.items;
  return (
    <Link
      className="alarm-note"
      href={`/p/${encodeURIComponent(projectId)}/alarms?subject=${encodeURIComponent(subjectId)}`}
    >
      <Icon name="warn" size={14} className="flex-none text-st-partial" />
      <span>
        {total === 1 && first ? (
          <>
            <b>{alarmNames[first.rule]}.</b> {alarmSentence(first)}
          </>
        ) : (
          <>
            <b>{countedSum(data.counts.map(({ active }) => active))} alarms:</b>{" "}
            {data.counts
              .filter(({ active }) => active > 0)
              .slice(0, SHOWN)
              .map(({ rule, active }) => `${alarmNames[rule]}${active > 1 ? ` (${countedNumber(active)})` : ""}`)
              .join(", ")}
            {data.counts.filter(({ active }) => active > 0).length > SHOWN ? " and others" : ""}
          </>
        )}
      </span>
    </Link>
  );
}
